/// JPEG (ITU-T T.81, annex B): segments, and between them entropy-coded data.
enum JPEG {
  private static let startOfImage: UInt8 = 0xD8
  private static let endOfImage: UInt8 = 0xD9
  private static let startOfScan: UInt8 = 0xDA
  private static let application1: UInt8 = 0xE1
  /// What Adobe's programs keep of a picture, IPTC's names of places among it: nothing that showing it needs.
  private static let application13: UInt8 = 0xED
  /// XMP that is longer than a segment stands in several (XMP, part 3, section 1.1.3.1): each with the name of the
  /// whole, its length and how far into it the segment's text begins.
  private static let extensionHead = "http://ns.adobe.com/xmp/extension/\0"
  private static let extensionLength = extensionHead.utf8.count + 32 + 4 + 4
  /// Phones put previews and brightness maps behind the picture as pictures of their own (CIPA DC-007).
  private static let mostImages = 32

  static func read(_ bytes: PictureBytes, into content: inout PictureContent) throws(PictureFault) {
    var end = try readImage(from: 0, bytes, into: &content)
    // What follows must lose its position too. What cannot be read, such as a film of the moments before, is blanked.
    for _ in 1..<mostImages {
      while end < bytes.count, try bytes.byte(at: end) == 0 { end += 1 }
      guard end < bytes.count else { return }
      var further = PictureContent()
      guard let next = try? readImage(from: end, bytes, into: &further) else { break }
      content.edits += further.edits
      end = next
    }
    content.blank(end..<bytes.count)
  }

  /// Gives the place after the image.
  private static func readImage(
    from start: Int,
    _ bytes: PictureBytes,
    into content: inout PictureContent
  ) throws(PictureFault) -> Int {
    guard bytes.has([0xFF, startOfImage], at: start) else { throw .damaged }
    var at = start + 2
    var hasScan = false
    var extendedXMP: [(offset: Int, text: Range<Int>)] = []
    while true {
      guard try bytes.byte(at: at) == 0xFF else { throw .damaged }
      while try bytes.byte(at: at) == 0xFF { at += 1 }
      let marker = try bytes.byte(at: at)
      at += 1
      if marker == endOfImage {
        guard hasScan else { throw .damaged }
        XMP.read(extendedXMP.sorted { $0.offset < $1.offset }.map(\.text), of: bytes, into: &content)
        return at
      }
      let length = try bytes.number(at: at, bytes: 2)
      let segment = try bytes.range(at: at, count: length)
      guard length >= 2 else { throw .damaged }
      let body = (at + 2)..<segment.upperBound
      at = segment.upperBound
      if isFrame(marker) {
        try readFrame(body, of: bytes, into: &content)
      } else if marker == application1, bytes.has(extensionHead, at: body.lowerBound), body.count > extensionLength {
        let text = (body.lowerBound + extensionLength)..<body.upperBound
        extendedXMP.append((try bytes.number(at: text.lowerBound - 4, bytes: 4), text))
      } else if marker == application1 {
        readApplication1(body, of: bytes, into: &content)
      } else if marker == application13 {
        content.blank(body)
      } else if marker == startOfScan {
        guard content.width > 0 else { throw .damaged }
        hasScan = true
        at = try endOfScan(from: at, bytes)
      }
    }
  }

  /// SOF0 to SOF15, without those of the numbers between that mean something else.
  private static func isFrame(_ marker: UInt8) -> Bool {
    (0xC0...0xCF).contains(marker) && marker != 0xC4 && marker != 0xC8 && marker != 0xCC
  }

  private static func readFrame(
    _ body: Range<Int>,
    of bytes: PictureBytes,
    into content: inout PictureContent
  ) throws(PictureFault) {
    // A second frame would leave open which of the two is the picture's size.
    guard content.width == 0, body.count >= 6 else { throw .damaged }
    content.height = try bytes.number(at: body.lowerBound + 1, bytes: 2)
    content.width = try bytes.number(at: body.lowerBound + 3, bytes: 2)
    let components = Int(try bytes.byte(at: body.lowerBound + 5))
    guard content.width > 0, content.height > 0, components > 0, body.count == 6 + 3 * components else {
      throw .damaged
    }
  }

  private static func readApplication1(_ body: Range<Int>, of bytes: PictureBytes, into content: inout PictureContent) {
    if bytes.has("Exif\0", at: body.lowerBound) {
      Exif.read(body, of: bytes, into: &content)
    } else if bytes.has("http://ns.adobe.com/x", at: body.lowerBound) {
      XMP.read(body, of: bytes, into: &content)
    }
  }

  /// The next marker that is none of the data's own.
  private static func endOfScan(from start: Int, _ bytes: PictureBytes) throws(PictureFault) -> Int {
    var at = start
    while let marker = bytes.firstIndex(of: 0xFF, in: at..<max(at, bytes.count)) {
      let next = try bytes.byte(at: marker + 1)
      if next == 0xFF {
        at = marker + 1
      } else if next == 0 || (0xD0...0xD7).contains(next) {
        at = marker + 2
      } else {
        return marker
      }
    }
    throw .damaged
  }
}
