/// EXIF, a TIFF structure: directories of tags (CIPA DC-008, section 4.6; TIFF 6.0, section 2). Only two of them are
/// read: the orientation, and where the picture was taken.
struct Exif {
  private static let orientation = 0x0112
  private static let position = 0x8825
  /// The size in bytes of a value of each type, indexed by the type's number.
  private static let sizes = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8]
  /// IFD0, that of the thumbnail, and more than any program writes. The same limit applies to directories of the
  /// position.
  private static let maximumDirectories = 8

  private let bytes: PictureBytes
  private let block: Range<Int>
  private let order: PictureBytes.Order
  private(set) var isOnItsSide = false
  /// The header and the directories that are kept. They must not overlap blanked bytes, so that they read the same
  /// afterwards.
  private var kept: [Range<Int>] = [0..<8]
  private var blanks: [Range<Int>] = []
  private var blankedBytes = 0
  private var positions = 0

  /// Reads the EXIF in `block` and blanks the position. A block that cannot be parsed is blanked entirely, because
  /// another reader may find a position in it.
  static func read(_ block: Range<Int>, of bytes: PictureBytes, into content: inout PictureContent) {
    // The TIFF header can be preceded by the name of the segment, as in a JPEG.
    let start = bytes.has("Exif\0", at: block.lowerBound) ? block.lowerBound + 6 : block.lowerBound
    do throws(PictureFault) {
      guard start <= block.upperBound else { throw .damaged }
      let exif = try Exif(start..<block.upperBound, of: bytes)
      for blank in exif.blanks { content.blank(blank) }
      content.isOnItsSide = exif.isOnItsSide
    } catch {
      content.blank(min(start, block.upperBound)..<block.upperBound)
    }
  }

  private init(_ block: Range<Int>, of bytes: PictureBytes) throws(PictureFault) {
    self.bytes = bytes
    self.block = block
    if bytes.has("II*\0", at: block.lowerBound) {
      order = .little
    } else if bytes.has("MM\0*", at: block.lowerBound) {
      order = .big
    } else {
      throw .damaged
    }
    var next = try number(at: 4, bytes: 4)
    var seen: Set<Int> = []
    while next != 0 {
      guard seen.count < Self.maximumDirectories, seen.insert(next).inserted else { throw .damaged }
      next = try readDirectory(at: next, isFirst: seen.count == 1)
    }
    for blank in blanks {
      let relative = (blank.lowerBound - block.lowerBound)..<(blank.upperBound - block.lowerBound)
      guard !kept.contains(where: { $0.overlaps(relative) }) else { throw .damaged }
    }
  }

  /// Offsets are relative to the TIFF header.
  private func number(at offset: Int, bytes size: Int) throws(PictureFault) -> Int {
    guard offset >= 0, offset <= block.count - size else { throw .damaged }
    return try bytes.number(at: block.lowerBound + offset, bytes: size, order)
  }

  /// Returns the offset of the next directory.
  private mutating func readDirectory(at offset: Int, isFirst: Bool) throws(PictureFault) -> Int {
    let count = try number(at: offset, bytes: 2)
    kept.append(offset..<(offset + 2 + 12 * count + 4))
    for entry in 0..<count {
      let entryOffset = offset + 2 + 12 * entry
      switch try number(at: entryOffset, bytes: 2) {
      case Self.position: try blankDirectory(at: try number(at: entryOffset + 8, bytes: 4))
      case Self.orientation where isFirst: isOnItsSide = (5...8).contains(try number(at: entryOffset + 8, bytes: 2))
      default: break
      }
    }
    return try number(at: offset + 2 + 12 * count, bytes: 4)
  }

  /// Blanks a directory and all of its values, which leaves a directory without entries.
  private mutating func blankDirectory(at offset: Int) throws(PictureFault) {
    let count = try number(at: offset, bytes: 2)
    positions += 1
    guard positions <= Self.maximumDirectories, offset + 2 + 12 * count <= block.count else { throw .damaged }
    for entry in 0..<count {
      let entryOffset = offset + 2 + 12 * entry
      let type = try number(at: entryOffset + 2, bytes: 2)
      guard Self.sizes.indices.contains(type) else { throw .damaged }
      let size = try number(at: entryOffset + 4, bytes: 4) * Self.sizes[type]
      // A short value is stored in the entry itself.
      guard size > 4 else { continue }
      let value = try number(at: entryOffset + 8, bytes: 4)
      guard value <= block.count, size <= block.count - value else { throw .damaged }
      try blank(at: value, count: size)
    }
    try blank(at: offset, count: 2 + 12 * count)
  }

  private mutating func blank(at offset: Int, count: Int) throws(PictureFault) {
    // Values of valid pictures do not overlap. The limit keeps a small malicious picture from costing hours.
    blankedBytes += count
    guard blankedBytes <= 2 * block.count else { throw .damaged }
    blanks.append((block.lowerBound + offset)..<(block.lowerBound + offset + count))
  }
}
