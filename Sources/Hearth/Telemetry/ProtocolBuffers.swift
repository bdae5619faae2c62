import Bytes

/// The wire format of Protocol Buffers (https://protobuf.dev/programming-guides/encoding), as far as OTLP needs it.
///
/// The number of a field must be below 16, so that it takes one byte together with the type. A dashboard has about 130
/// fields in its spans, so those of fixed size are inlined and reserve their bytes once.
extension ByteBuffer {
  mutating func append(field: UInt8, _ number: Int) {
    append(field << 3)
    append(length: number)
  }

  /// A number of the type `fixed64` or `sfixed64`.
  @inline(__always)
  mutating func append(field: UInt8, fixed number: UInt64) {
    appendUnsafe(capacity: 9) { target in
      target.storeBytes(of: field << 3 | 1, as: UInt8.self)
      target.storeBytes(of: number.littleEndian, toByteOffset: 1, as: UInt64.self)
      return 9
    }
  }

  mutating func append(field: UInt8, _ number: Double) { append(field: field, fixed: number.bitPattern) }

  /// An id of eight bytes.
  @inline(__always)
  mutating func append(field: UInt8, id: UInt64) {
    appendUnsafe(capacity: 10) { target in
      target.storeBytes(of: field << 3 | 2, as: UInt8.self)
      target.storeBytes(of: 8, toByteOffset: 1, as: UInt8.self)
      target.storeBytes(of: id.bigEndian, toByteOffset: 2, as: UInt64.self)
      return 10
    }
  }

  /// An id of sixteen bytes.
  @inline(__always)
  mutating func append(field: UInt8, id: (high: UInt64, low: UInt64)) {
    appendUnsafe(capacity: 18) { target in
      target.storeBytes(of: field << 3 | 2, as: UInt8.self)
      target.storeBytes(of: 16, toByteOffset: 1, as: UInt8.self)
      target.storeBytes(of: id.high.bigEndian, toByteOffset: 2, as: UInt64.self)
      target.storeBytes(of: id.low.bigEndian, toByteOffset: 10, as: UInt64.self)
      return 18
    }
  }

  @inline(__always)
  mutating func append(field: UInt8, _ text: StaticString) {
    append(field << 3 | 2)
    append(length: text.utf8CodeUnitCount)
    append(text)
  }

  mutating func append(field: UInt8, _ text: String) {
    append(field << 3 | 2)
    append(length: text.utf8.count)
    append(text)
  }

  /// A message, or the elements of a list of numbers, which `body` writes.
  @inline(__always)
  mutating func append(field: UInt8, _ body: (inout ByteBuffer) -> Void) {
    append(field << 3 | 2)
    let length = count
    append(0)
    body(&self)
    replaceByte(at: length, withVarint: count - length - 1)
  }

  /// The tag and the length of a message, which the caller writes.
  @inline(__always)
  mutating func append(field: UInt8, messageOf length: Int) {
    append(field << 3 | 2)
    append(length: length)
  }

  @inline(__always)
  private mutating func append(length number: Int) {
    if (0..<0x80).contains(number) {
      append(UInt8(truncatingIfNeeded: number))
    } else {
      append(varint: UInt64(bitPattern: Int64(number)))
    }
  }

  /// The size of a text or message as a field.
  @inline(__always)
  static func fieldSize(of length: Int) -> Int { 1 + varintSize(of: length) + length }

  @inline(__always)
  static func varintSize(of number: Int) -> Int {
    (0..<0x80).contains(number) ? 1 : (UInt64.bitWidth - UInt64(bitPattern: Int64(number)).leadingZeroBitCount + 6) / 7
  }
}
