/// The format and size of a picture, determined from its bytes alone, and the edits that remove where it was taken
/// before others see it.
///
/// Only the structure is parsed; no pixel is decoded. Takes time linear in the bytes and memory proportional to the
/// number of their parts.
package struct PictureInspection: Sendable, Equatable {
  package let format: PictureFormat
  /// The displayed width, after applying the orientation.
  package let width: Int
  package let height: Int
  let edits: [PictureEdit]

  package init(_ picture: ArraySlice<UInt8>) throws(PictureFault) {
    let bytes = PictureBytes(picture)
    var content = PictureContent()
    guard let format = PictureFormat(signature: picture) else { throw .unknownFormat }
    self.format = format
    switch format {
    case .jpeg: try JPEG.read(bytes, into: &content)
    case .png: try PNG.read(bytes, into: &content)
    case .webp: try WebP.read(bytes, into: &content)
    case .heic: try HEIF.read(bytes, into: &content)
    }
    guard content.width > 0, content.height > 0 else { throw .damaged }
    (width, height) = content.isOnItsSide ? (content.height, content.width) : (content.width, content.height)
    edits = content.edits
  }

  /// The same bytes with the position overwritten. Their number does not change.
  package func withoutPosition(_ picture: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    guard !edits.isEmpty else { return picture }
    var bytes = Array(picture)
    for edit in edits { edit.apply(to: &bytes) }
    return bytes[...]
  }
}

/// The findings of the parsers.
struct PictureContent {
  var width = 0
  var height = 0
  /// Whether width and height are swapped when the picture is shown.
  var isOnItsSide = false
  var edits: [PictureEdit] = []

  mutating func blank(_ range: Range<Int>, with filling: UInt8 = 0) {
    if !range.isEmpty { edits.append(.fill(range, with: filling)) }
  }
}
