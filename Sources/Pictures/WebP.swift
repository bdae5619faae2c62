/// WebP (RFC 9649): chunks within a RIFF.
enum WebP {
  static func read(_ bytes: PictureBytes, into content: inout PictureContent) throws(PictureFault) {
    let end = 8 + (try bytes.number(at: 4, bytes: 4, .little))
    guard end <= bytes.count else { throw .damaged }
    var at = 12
    var canvas: (width: Int, height: Int)?
    var frame: (width: Int, height: Int)?
    var isAnimated = false
    while at < end {
      let size = try bytes.number(at: at + 4, bytes: 4, .little)
      let data = try bytes.range(at: at + 8, count: size)
      guard data.upperBound <= end else { throw .damaged }
      if bytes.has("VP8X", at: at) {
        guard canvas == nil, frame == nil else { throw .damaged }
        canvas = (
          try bytes.number(at: data.lowerBound + 4, bytes: 3, .little) + 1,
          try bytes.number(at: data.lowerBound + 7, bytes: 3, .little) + 1
        )
      } else if bytes.has("VP8 ", at: at) {
        if frame == nil { frame = try lossySize(data, of: bytes) }
      } else if bytes.has("VP8L", at: at) {
        if frame == nil { frame = try losslessSize(data, of: bytes) }
      } else if bytes.has("ANMF", at: at) {
        isAnimated = true
      } else if bytes.has("EXIF", at: at) {
        Exif.read(data, of: bytes, into: &content)
      } else if bytes.has("XMP ", at: at) {
        XMP.read(data, of: bytes, into: &content)
      }
      // Chunks begin at even offsets.
      at = data.upperBound + size % 2
    }
    if let canvas, let frame, canvas != frame { throw .damaged }
    guard let size = frame ?? (isAnimated ? canvas : nil) else { throw .damaged }
    (content.width, content.height) = size
    content.blank(end..<bytes.count)
  }

  /// A VP8 key frame (RFC 6386, section 9.1).
  private static func lossySize(_ data: Range<Int>, of bytes: PictureBytes) throws(PictureFault) -> (Int, Int) {
    let start = data.lowerBound
    guard data.count > 10, try bytes.byte(at: start) & 1 == 0, bytes.has([0x9D, 0x01, 0x2A], at: start + 3) else {
      throw .damaged
    }
    let width = try bytes.number(at: start + 6, bytes: 2, .little) & 0x3FFF
    return (width, try bytes.number(at: start + 8, bytes: 2, .little) & 0x3FFF)
  }

  private static func losslessSize(_ data: Range<Int>, of bytes: PictureBytes) throws(PictureFault) -> (Int, Int) {
    let start = data.lowerBound
    guard data.count > 5, try bytes.byte(at: start) == 0x2F else { throw .damaged }
    let bits = try bytes.number(at: start + 1, bytes: 4, .little)
    return (bits & 0x3FFF + 1, bits >> 14 & 0x3FFF + 1)
  }
}
