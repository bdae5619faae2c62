/// The parameters of a deferred statement as bytes: they are compared to recognise a statement, and bound when it is
/// executed.
///
/// Each parameter is its number, a kind, and its value. Parameters are in the order in which they were bound.
struct ParameterBytes: Hashable {
  enum Value {
    case null
    case int64(Int64)
    case double(Double)
    case text(UnsafeRawBufferPointer)
    case blob(UnsafeRawBufferPointer)
    case keys([Int64])
  }

  private enum Kind: UInt8 {
    case null, int64, double, text, blob, keys
  }

  private var bytes: [UInt8] = []

  mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

  mutating func append(_ value: Value, at number: Int) {
    append(UInt16(truncatingIfNeeded: number))
    switch value {
    case .null: bytes.append(Kind.null.rawValue)
    case .int64(let value):
      bytes.append(Kind.int64.rawValue)
      append(value)
    case .double(let value):
      bytes.append(Kind.double.rawValue)
      append(value.bitPattern)
    case .text(let text): append(text, kind: .text)
    case .blob(let blob): append(blob, kind: .blob)
    case .keys(let keys): keys.withUnsafeBytes { append($0, kind: .keys) }
    }
  }

  private mutating func append(_ content: UnsafeRawBufferPointer, kind: Kind) {
    bytes.append(kind.rawValue)
    append(content.count)
    bytes.append(contentsOf: content)
  }

  private mutating func append<Number: BitwiseCopyable>(_ number: Number) {
    withUnsafeBytes(of: number) { bytes.append(contentsOf: $0) }
  }

  /// Calls `body` with each parameter. The bytes of texts and blobs are valid only during the call.
  func forEach(_ body: (_ number: Int, Value) throws(DatabaseError) -> Void) throws(DatabaseError) {
    // `withUnsafeBytes` does not rethrow typed errors.
    let result = bytes.withUnsafeBytes { bytes in
      Result { () throws(DatabaseError) in
        var reader = ByteReader(bytes: bytes)
        while !reader.isAtEnd {
          let number = Int(reader.next(as: UInt16.self))
          try body(number, Self.value(from: &reader))
        }
      }
    }
    try result.get()
  }

  private static func value(from reader: inout ByteReader) -> Value {
    switch Kind(rawValue: reader.next(as: UInt8.self)) {
    case .int64: .int64(reader.next(as: Int64.self))
    case .double: .double(Double(bitPattern: reader.next(as: UInt64.self)))
    case .text: .text(reader.nextBlock())
    case .blob: .blob(reader.nextBlock())
    case .keys: .keys(keys(in: reader.nextBlock()))
    case .null, nil: .null
    }
  }

  private static func keys(in block: UnsafeRawBufferPointer) -> [Int64] {
    let stride = MemoryLayout<Int64>.stride
    return (0..<block.count / stride).map { block.loadUnaligned(fromByteOffset: $0 * stride, as: Int64.self) }
  }

  /// Hashes and compares the bytes as a block, which an array does byte by byte.
  func hash(into hasher: inout Hasher) { bytes.withUnsafeBytes { hasher.combine(bytes: $0) } }

  private struct ByteReader {
    let bytes: UnsafeRawBufferPointer
    private var offset = 0

    init(bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    var isAtEnd: Bool { offset == bytes.count }

    mutating func next<Number: BitwiseCopyable>(as _: Number.Type) -> Number {
      defer { offset += MemoryLayout<Number>.size }
      return bytes.loadUnaligned(fromByteOffset: offset, as: Number.self)
    }

    mutating func nextBlock() -> UnsafeRawBufferPointer {
      let count = next(as: Int.self)
      defer { offset += count }
      return UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count])
    }
  }
}
