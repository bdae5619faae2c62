/// A box (ISO/IEC 14496-12, section 4.2).
struct HEIFBox {
  let type: String
  /// Where it begins.
  let start: Int
  let body: Range<Int>
  private let bytes: PictureBytes

  /// More than the boxes on one level of a picture with thousands of tiles.
  private static let most = 20_000

  /// All boxes that fill `range`.
  static func all(in range: Range<Int>, of bytes: PictureBytes) throws(PictureFault) -> [HEIFBox] {
    var boxes: [HEIFBox] = []
    var at = range.lowerBound
    while at < range.upperBound {
      let box = try HEIFBox(at: at, within: range, of: bytes)
      guard boxes.count < most else { throw .damaged }
      boxes.append(box)
      at = box.body.upperBound
    }
    return boxes
  }

  private init(at start: Int, within range: Range<Int>, of bytes: PictureBytes) throws(PictureFault) {
    self.bytes = bytes
    self.start = start
    var size = try bytes.number(at: start, bytes: 4)
    var head = 8
    var type = ""
    for offset in 4..<8 { type.unicodeScalars.append(Unicode.Scalar(try bytes.byte(at: start + offset))) }
    self.type = type
    if size == 1 {
      // A size that needs the first of the eight bytes would be 72 million gigabytes.
      guard try bytes.byte(at: start + 8) == 0 else { throw .damaged }
      size = try bytes.number(at: start + 9, bytes: 7)
      head = 16
    } else if size == 0 {
      size = range.upperBound - start
    }
    guard size >= head, size <= range.upperBound - start else { throw .damaged }
    body = (start + head)..<(start + size)
  }

  func version() throws(PictureFault) -> Int {
    guard body.count >= 4 else { throw .damaged }
    return Int(try bytes.byte(at: body.lowerBound))
  }

  func flags() throws(PictureFault) -> Int { try bytes.number(at: body.lowerBound + 1, bytes: 3) }

  func afterVersion() throws(PictureFault) -> Range<Int> {
    guard body.count >= 4 else { throw .damaged }
    return (body.lowerBound + 4)..<body.upperBound
  }
}
