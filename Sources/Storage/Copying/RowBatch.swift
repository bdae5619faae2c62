import Basics

/// Rows of a table in one buffer. The bytes of a value are the same for both engines: of an integer the eight bytes of
/// PostgreSQL's format, the most significant first.
package struct RowBatch {
  /// A value's extent in `bytes`. A length of -1 is NULL.
  private struct Extent {
    let start: Int
    let length: Int
  }

  private let columnCount: Int
  private var bytes: [UInt8] = []
  private var extents: [Extent] = []

  package init(of table: CopiedTable) { columnCount = max(1, table.columns.count) }

  /// The number of rows.
  package var count: Int { extents.count / columnCount }

  /// Whether the rows should be passed on before more are added.
  var isFull: Bool { bytes.count >= 1 << 20 }

  // MARK: Adding the values of a row, one after the other

  package mutating func append(_ value: Int64) {
    withUnsafeBytes(of: value.bigEndian) { append(bytes: $0) }
  }

  package mutating func append(bytes value: UnsafeRawBufferPointer) {
    extents.append(Extent(start: bytes.count, length: value.count))
    bytes += value
  }

  mutating func appendNull() { extents.append(Extent(start: bytes.count, length: -1)) }

  mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    extents.removeAll(keepingCapacity: true)
  }

  // MARK: Reading

  /// Calls `body` with the bytes of a value, or nil for NULL.
  package func withValue<Result>(
    _ row: Int,
    _ column: Int,
    _ body: (UnsafeRawBufferPointer?) throws -> Result
  ) rethrows -> Result {
    let extent = extents[row * columnCount + column]
    guard extent.length >= 0 else { return try body(nil) }
    return try bytes.withUnsafeBytes { try body(.init(rebasing: $0[extent.start..<extent.start + extent.length])) }
  }

  /// 0 for NULL.
  package func int64(_ row: Int, _ column: Int) -> Int64 {
    withValue(row, column) { value in
      guard let value, value.count == 8 else { return 0 }
      return Int64(bigEndian: value.loadUnaligned(as: Int64.self))
    }
  }

  /// Empty for NULL.
  package func bytes(_ row: Int, _ column: Int) -> [UInt8] { withValue(row, column) { $0.map(Array.init) ?? [] } }

  /// A hash of the values of a row and their lengths, by FNV-1a. It finds faults, not attacks.
  func hash(ofRow row: Int) -> UInt64 {
    var hash = FNV1a()
    bytes.withUnsafeBytes { bytes in
      for extent in extents[row * columnCount..<(row + 1) * columnCount] {
        withUnsafeBytes(of: Int64(extent.length).bigEndian) { hash.add($0) }
        guard extent.length > 0 else { continue }
        hash.add(bytes[extent.start..<extent.start + extent.length])
      }
    }
    // The sum of the hashes of many rows must depend on all of their bits.
    return (hash.value ^ hash.value >> 32) &* 0x9E37_79B9_7F4A_7C15
  }
}
