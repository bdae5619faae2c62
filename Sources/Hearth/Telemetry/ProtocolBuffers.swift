import Bytes

/// The wire format of Protocol Buffers (https://protobuf.dev/programming-guides/encoding), as far as OTLP needs it.
///
/// The number of a field must be below 16, so that it takes one byte together with the type.
extension ByteBuffer {
  mutating func append(field: UInt8, _ number: Int) {
    append(field << 3)
    append(varint: UInt64(bitPattern: Int64(number)))
  }

  /// A number of the type `fixed64` or `sfixed64`.
  mutating func append(field: UInt8, fixed number: UInt64) {
    append(field << 3 | 1)
    append(littleEndian: number)
  }

  mutating func append(field: UInt8, _ number: Double) { append(field: field, fixed: number.bitPattern) }

  mutating func append(field: UInt8, _ text: StaticString) {
    append(field << 3 | 2)
    append(varint: UInt64(text.utf8CodeUnitCount))
    append(text)
  }

  mutating func append(field: UInt8, _ text: String) {
    append(field << 3 | 2)
    append(varint: UInt64(text.utf8.count))
    append(text)
  }

  /// An id of eight bytes.
  mutating func append(field: UInt8, id: UInt64) {
    append(field << 3 | 2)
    append(8)
    append(bigEndian: id)
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
}
