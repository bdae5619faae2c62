/// The location of an item's bytes (ISO/IEC 14496-12, section 8.11.3).
struct HEIFItemLocation {
  let item: Int
  /// 0: in the file; 1: in the box `idat`; 2: derived from other items.
  let method: Int
  let extents: [(offset: Int, length: Int)]

  static func all(in box: HEIFBox, of bytes: PictureBytes) throws(PictureFault) -> [HEIFItemLocation] {
    let version = try box.version()
    guard version <= 2 else { throw .damaged }
    var at = box.body.lowerBound + 4
    func take(_ size: Int) throws(PictureFault) -> Int {
      defer { at += size }
      // The first byte of an eight-byte number must be 0.
      guard size == 8 else { return try bytes.number(at: at, bytes: size) }
      guard try bytes.byte(at: at) == 0 else { throw .damaged }
      return try bytes.number(at: at + 1, bytes: 7)
    }
    let sizes = try take(2)
    let (offsetSize, lengthSize) = (sizes >> 12 & 15, sizes >> 8 & 15)
    let (baseSize, indexSize) = (sizes >> 4 & 15, version == 0 ? 0 : sizes & 15)
    for size in [offsetSize, lengthSize, baseSize, indexSize] where ![0, 4, 8].contains(size) { throw .damaged }
    let count = try take(version < 2 ? 2 : 4)
    guard count <= UInt16.max else { throw .damaged }
    var items: [HEIFItemLocation] = []
    for _ in 0..<count {
      let item = try take(version < 2 ? 2 : 4)
      let method = version == 0 ? 0 : try take(2) & 15
      _ = try take(2)
      let base = try take(baseSize)
      let extentCount = try take(2)
      // Extents that take no bytes would cost time without bytes in the file.
      guard extentCount <= 1 || indexSize + offsetSize + lengthSize > 0 else { throw .damaged }
      var extents: [(Int, Int)] = []
      for _ in 0..<extentCount {
        _ = try take(indexSize)
        let offset = base + (try take(offsetSize))
        extents.append((offset, try take(lengthSize)))
      }
      guard at <= box.body.upperBound else { throw .damaged }
      items.append(HEIFItemLocation(item: item, method: method, extents: extents))
    }
    return items
  }
}
