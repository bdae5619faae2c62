/// The properties of items that are used (ISO/IEC 23008-12, section 6.5).
enum HEIFProperty {
  case size(width: Int, height: Int)
  /// In quarter turns.
  case rotation(quarters: Int)
  case other

  init(_ box: HEIFBox, of bytes: PictureBytes) throws(PictureFault) {
    switch box.type {
    case "ispe":
      guard box.body.count >= 12 else { throw .damaged }
      let width = try bytes.number(at: box.body.lowerBound + 4, bytes: 4)
      let height = try bytes.number(at: box.body.lowerBound + 8, bytes: 4)
      guard width <= Int32.max, height <= Int32.max else { throw .damaged }
      self = .size(width: width, height: height)
    case "irot":
      guard !box.body.isEmpty else { throw .damaged }
      self = .rotation(quarters: Int(try bytes.byte(at: box.body.lowerBound) & 3))
    default: self = .other
    }
  }
}
