/// The values of a statement's parameters in PostgreSQL's binary format, one after the other in one array. A value that
/// is kept costs no further allocation once the array has grown.
package struct ParameterBuffer: Sendable {
  /// A value's extent in `bytes`. A length of -1 is NULL.
  struct Extent: Sendable {
    let start: Int
    let length: Int
  }

  private(set) var bytes: [UInt8] = []
  private(set) var extents: [Extent] = []

  package init() {}

  /// - Parameters:
  ///   - byteCount: about the number of bytes of all values.
  ///   - count: the number of parameters.
  package init(byteCount: Int, count: Int) {
    bytes.reserveCapacity(byteCount)
    extents.reserveCapacity(count)
  }

  /// The number of parameters.
  package var count: Int { extents.count }

  package mutating func appendNull() { extents.append(Extent(start: bytes.count, length: -1)) }

  package mutating func append(_ value: Int64) {
    let start = bytes.count
    bytes.appendBigEndian(value)
    close(from: start)
  }

  package mutating func append(_ value: Double) {
    let start = bytes.count
    bytes.appendBigEndian(value.bitPattern)
    close(from: start)
  }

  package mutating func append(_ text: String) {
    var text = text
    text.withUTF8 { append(text: UnsafeRawBufferPointer($0)) }
  }

  package mutating func append(bytes value: some Collection<UInt8>) {
    let start = bytes.count
    bytes += value
    close(from: start)
  }

  /// Appends a text as UTF-8. PostgreSQL has no text with U+0000, so that no row contains it. The character is replaced
  /// by U+FFFF, a noncharacter that no stored text contains either: a search for the text finds nothing.
  package mutating func append(text utf8: UnsafeRawBufferPointer) {
    let start = bytes.count
    if utf8.contains(0) {
      for byte in utf8 {
        if byte == 0 { bytes += [0xEF, 0xBF, 0xBF] } else { bytes.append(byte) }
      }
    } else {
      bytes += utf8
    }
    close(from: start)
  }

  /// Makes the value that was appended last the parameter `number`, counted from 1. Parameters before it that have no
  /// value yet are NULL.
  package mutating func moveLast(to number: Int) {
    guard let last = extents.popLast() else { return }
    padWithNulls(to: number)
    extents[number - 1] = last
  }

  /// Appends NULLs until there are `count` parameters.
  package mutating func padWithNulls(to count: Int) {
    while extents.count < count { appendNull() }
  }

  /// Appends an array of 64-bit numbers (`bigint[]`).
  package mutating func append(_ keys: [Int64]) { keys.withUnsafeBytes { append(keys: $0) } }

  /// The same for numbers as they are in memory, at any address.
  package mutating func append(keys: UnsafeRawBufferPointer) {
    let start = bytes.count
    let count = keys.count / 8
    bytes.reserveCapacity(start + 20 + 12 * count)
    beginArray(of: .int8, count: count, hasNulls: false)
    for index in 0..<count {
      let key = keys.loadUnaligned(fromByteOffset: 8 * index, as: UInt64.self)
      // The length and the number, in one call.
      let element = (UInt32(8).bigEndian, UInt32(key >> 32).bigEndian, UInt32(truncatingIfNeeded: key).bigEndian)
      Swift.withUnsafeBytes(of: element) { bytes.append(contentsOf: $0) }
    }
    close(from: start)
  }

  /// Appends an array whose elements can be NULL.
  ///
  /// - Parameter element: calls its second argument with the bytes of an element in PostgreSQL's format, or with nil.
  package mutating func appendArray(
    of type: ServerType,
    count: Int,
    _ element: (_ index: Int, _ append: (UnsafeRawBufferPointer?) -> Void) -> Void
  ) {
    let start = bytes.count
    beginArray(of: type, count: count, hasNulls: true)
    for index in 0..<count {
      element(index) { value in
        bytes.appendBigEndian(Int32(clamping: value?.count ?? -1))
        if let value { bytes += value }
      }
    }
    close(from: start)
  }

  /// The format of array_recv: dimensions, whether there are NULLs, the elements' type; then for each dimension its
  /// length and lowest index. An empty array has no dimension.
  private mutating func beginArray(of type: ServerType, count: Int, hasNulls: Bool) {
    bytes.appendBigEndian(Int32(count == 0 ? 0 : 1))
    bytes.appendBigEndian(Int32(hasNulls ? 1 : 0))
    bytes.appendBigEndian(type.rawValue)
    guard count > 0 else { return }
    bytes.appendBigEndian(Int32(clamping: count))
    bytes.appendBigEndian(Int32(1))
  }

  private mutating func close(from start: Int) {
    extents.append(Extent(start: start, length: bytes.count - start))
  }
}

extension [UInt8] {
  fileprivate mutating func appendBigEndian(_ value: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: value.bigEndian) { append(contentsOf: $0) }
  }
}
