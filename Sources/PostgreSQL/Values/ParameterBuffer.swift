/// The values of a statement's parameters in PostgreSQL's binary format, one after the other in one array. A value that
/// is kept costs no further allocation once the array has grown.
package struct ParameterBuffer: Sendable {
  /// A value's place in `bytes`. A length of -1 is NULL.
  struct Place: Sendable {
    let start: Int
    let length: Int
  }

  private(set) var bytes: [UInt8] = []
  private(set) var places: [Place] = []

  package init() {}

  /// The number of parameters.
  package var count: Int { places.count }

  package mutating func appendNull() { places.append(Place(start: bytes.count, length: -1)) }

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

  /// Appends a text. PostgreSQL has no text with U+0000, so that no row contains it. The character is replaced by
  /// U+FFFF, a noncharacter that no stored text contains either: a search for the text finds nothing.
  package mutating func append(_ text: String) {
    let start = bytes.count
    var text = text
    text.withUTF8 { utf8 in
      for byte in utf8 {
        if byte == 0 { bytes += [0xEF, 0xBF, 0xBF] } else { bytes.append(byte) }
      }
    }
    close(from: start)
  }

  package mutating func append(bytes value: some Collection<UInt8>) {
    let start = bytes.count
    bytes += value
    close(from: start)
  }

  /// Appends a text as UTF-8. U+0000 is replaced as above.
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
    guard let last = places.popLast() else { return }
    padWithNulls(to: number)
    places[number - 1] = last
  }

  /// Appends NULLs until there are `count` parameters.
  package mutating func padWithNulls(to count: Int) {
    while places.count < count { appendNull() }
  }

  /// Appends an array of 64-bit numbers (`bigint[]`).
  package mutating func append(_ keys: [Int64]) {
    let start = bytes.count
    bytes.reserveCapacity(start + 20 + 12 * keys.count)
    // The format of array_recv: dimensions, whether there are NULLs, the elements' type; then for each dimension its
    // length and lowest index. An empty array has no dimension.
    bytes.appendBigEndian(Int32(keys.isEmpty ? 0 : 1))
    bytes.appendBigEndian(Int32(0))
    bytes.appendBigEndian(ServerType.int8.rawValue)
    if !keys.isEmpty {
      bytes.appendBigEndian(Int32(keys.count))
      bytes.appendBigEndian(Int32(1))
    }
    for key in keys {
      bytes.appendBigEndian(Int32(8))
      bytes.appendBigEndian(key)
    }
    close(from: start)
  }

  private mutating func close(from start: Int) {
    places.append(Place(start: start, length: bytes.count - start))
  }
}

extension [UInt8] {
  fileprivate mutating func appendBigEndian(_ value: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: value.bigEndian) { append(contentsOf: $0) }
  }
}
