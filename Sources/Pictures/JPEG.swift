/// JPEG (ITU-T T.81, annex B): segments, and between them entropy-coded data.
enum JPEG {
  private static let startOfImage: UInt8 = 0xD8
  private static let endOfImage: UInt8 = 0xD9
  private static let startOfScan: UInt8 = 0xDA
  private static let application1: UInt8 = 0xE1
  /// Data of Adobe's programs, including IPTC's location names. It is not needed to show the picture.
  private static let application13: UInt8 = 0xED
  /// XMP that is longer than a segment is split into several (XMP, part 3, section 1.1.3.1). Each contains the
  /// identifier of the whole, its length, and the offset of the segment's text.
  private static let extensionHead: StaticString = "http://ns.adobe.com/xmp/extension/\0"
  private static let extensionLength = extensionHead.utf8CodeUnitCount + 32 + 4 + 4
  /// Phones append previews and brightness maps as further pictures (CIPA DC-007).
  private static let maximumImages = 32
  /// The maximum number of segments of an image. Files of cameras have tens, and several hundred with extended XMP or
  /// long profiles. Decoders that keep metadata take time proportional to the square of the number: 10 seconds for
  /// 100,000 segments of three bytes.
  private static let maximumSegments = 2_000

  static func read(_ bytes: PictureBytes, into content: inout PictureContent) throws(PictureFault) {
    var end = try readImage(from: 0, bytes, into: &content)
    // Positions are removed from these pictures too. Data that cannot be parsed, such as a video of the moments before,
    // is blanked.
    for _ in 1..<maximumImages {
      while end < bytes.count, try bytes.byte(at: end) == 0 { end += 1 }
      guard end < bytes.count else { return }
      var further = PictureContent()
      guard let next = try? readImage(from: end, bytes, into: &further) else { break }
      content.edits += further.edits
      end = next
    }
    content.blank(end..<bytes.count)
  }

  /// Returns the offset after the image.
  private static func readImage(
    from start: Int,
    _ bytes: PictureBytes,
    into content: inout PictureContent
  ) throws(PictureFault) -> Int {
    guard bytes.has([0xFF, startOfImage], at: start) else { throw .damaged }
    var at = start + 2
    var hasScan = false
    var segments = 0
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
      segments += 1
      guard segments <= maximumSegments else { throw .damaged }
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

  /// SOF0 to SOF15, except the markers in between with other meanings.
  private static func isFrame(_ marker: UInt8) -> Bool {
    (0xC0...0xCF).contains(marker) && marker != 0xC4 && marker != 0xC8 && marker != 0xCC
  }

  private static func readFrame(
    _ body: Range<Int>,
    of bytes: PictureBytes,
    into content: inout PictureContent
  ) throws(PictureFault) {
    // With a second frame, the size of the picture would be ambiguous.
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

  /// The offset of the next marker that does not belong to the entropy-coded data.
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
