import Glibc

/// The parameters of a deferred statement as bytes: they are compared to recognise a statement, and bound when it is
/// executed.
///
/// Each parameter is a word with its number, its kind and the count of its bytes, and its value. Parameters are in the
/// order in which they were bound.
struct ParameterBytes: Hashable {
  enum Value {
    case null
    case int64(Int64)
    case double(Double)
    case text(UnsafeRawBufferPointer)
    case blob(UnsafeRawBufferPointer)
    /// The keys as they are in memory, at any address: see `keys(in:)`.
    case keys(UnsafeRawBufferPointer)
  }

  private enum Kind: UInt64 {
    case null, int64, double, text, blob, keys
  }

  private var bytes: [UInt8] = []

  var byteCount: Int { bytes.count }

  mutating func removeAll() { if !bytes.isEmpty { bytes.removeAll(keepingCapacity: true) } }

  mutating func append(_ value: Value, at number: Int) {
    switch value {
    case .null: append(Self.head(.null, of: number))
    case .int64(let value): append((Self.head(.int64, of: number), UInt64(bitPattern: value)))
    case .double(let value): append((Self.head(.double, of: number), value.bitPattern))
    case .text(let text): append(text, after: Self.head(.text, of: number, count: text.count))
    case .blob(let blob): append(blob, after: Self.head(.blob, of: number, count: blob.count))
    case .keys(let keys): append(keys, after: Self.head(.keys, of: number, count: keys.count))
    }
  }

  private static func head(_ kind: Kind, of number: Int, count: Int = 0) -> UInt64 {
    UInt64(truncatingIfNeeded: number & 0xFFFF) | kind.rawValue << 16 | UInt64(truncatingIfNeeded: count) << 24
  }

  private mutating func append(_ content: UnsafeRawBufferPointer, after head: UInt64) {
    append(head)
    bytes.append(contentsOf: content)
  }

  /// One call for a value and its head: calls for single bytes took longer than the statement's other work.
  private mutating func append<Words: BitwiseCopyable>(_ words: Words) {
    withUnsafeBytes(of: words) { bytes.append(contentsOf: $0) }
  }

  /// Calls `body` with each parameter. The bytes of texts, blobs and keys are valid only during the call.
  func forEach(_ body: (_ number: Int, Value) throws(DatabaseError) -> Void) throws(DatabaseError) {
    // `withUnsafeBytes` does not rethrow typed errors.
    let result = bytes.withUnsafeBytes { bytes in
      Result { () throws(DatabaseError) in
        var reader = WordReader(bytes: bytes)
        while !reader.isAtEnd {
          let head = reader.next()
          try body(Int(head & 0xFFFF), Self.value(of: head, from: &reader))
        }
      }
    }
    try result.get()
  }

  private static func value(of head: UInt64, from reader: inout WordReader) -> Value {
    let count = Int(head >> 24)
    return switch Kind(rawValue: head >> 16 & 0xFF) {
    case .int64: .int64(Int64(bitPattern: reader.next()))
    case .double: .double(Double(bitPattern: reader.next()))
    case .text: .text(reader.next(count))
    case .blob: .blob(reader.next(count))
    case .keys: .keys(reader.next(count))
    case .null, nil: .null
    }
  }

  /// Returns the value of a parameter, or nil if it is not an integer.
  func int64(at number: Int) -> Int64? {
    var found: Int64?
    try? forEach { other, value throws(DatabaseError) in
      if other == number, case .int64(let value) = value { found = value }
    }
    return found
  }

  static func keys(in block: UnsafeRawBufferPointer) -> [Int64] {
    let stride = MemoryLayout<Int64>.stride
    return (0..<block.count / stride).map { block.loadUnaligned(fromByteOffset: $0 * stride, as: Int64.self) }
  }

  // An array hashes and compares byte by byte.

  static func == (left: Self, right: Self) -> Bool {
    left.bytes.count == right.bytes.count
      && left.bytes.withUnsafeBytes { left in
        right.bytes.withUnsafeBytes { right in
          guard let first = left.baseAddress, let second = right.baseAddress else { return true }
          return memcmp(first, second, left.count) == 0
        }
      }
  }

  func hash(into hasher: inout Hasher) { bytes.withUnsafeBytes { hasher.combine(bytes: $0) } }

  private struct WordReader {
    let bytes: UnsafeRawBufferPointer
    private var offset = 0

    init(bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    var isAtEnd: Bool { offset == bytes.count }

    mutating func next() -> UInt64 {
      defer { offset += 8 }
      return bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
    }

    mutating func next(_ count: Int) -> UnsafeRawBufferPointer {
      defer { offset += count }
      return UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count])
    }
  }
}
