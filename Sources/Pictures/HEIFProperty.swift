/// The properties of items that are used (ISO/IEC 23008-12, section 6.5).
enum HEIFProperty {
  case size(width: Int, height: Int)
  /// In quarter turns.
  case rotation(quarters: Int)
  /// The part of the picture that is shown.
  case aperture(width: Int, height: Int)
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
    case "clap":
      self = .aperture(width: try Self.length(at: box, 0, of: bytes), height: try Self.length(at: box, 8, of: bytes))
    default: self = .other
    }
  }

  /// A length that is given as a fraction.
  private static func length(at box: HEIFBox, _ offset: Int, of bytes: PictureBytes) throws(PictureFault) -> Int {
    guard box.body.count >= 32 else { throw .damaged }
    let numerator = try bytes.number(at: box.body.lowerBound + offset, bytes: 4)
    let denominator = try bytes.number(at: box.body.lowerBound + offset + 4, bytes: 4)
    guard denominator > 0 else { throw .damaged }
    return numerator / denominator
  }
}
