/// Numbers in groups of seven bits, the lowest first. The highest bit of a byte says that another one follows.
extension ByteBuffer {
  package mutating func append(varint number: UInt64) {
    var rest = number
    while rest >= 0x80 {
      append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    append(UInt8(truncatingIfNeeded: rest))
  }

  /// Replaces the byte at `offset` by a number. What follows moves if the number takes more than one byte.
  @inlinable
  package mutating func replaceByte(at offset: Int, withVarint number: Int) {
    precondition(offset >= 0 && offset < count && number >= 0)
    if number < 0x80 {
      base.storeBytes(of: UInt8(truncatingIfNeeded: number), toByteOffset: offset, as: UInt8.self)
    } else {
      replaceByte(at: offset, withLongVarint: number)
    }
  }

  @usableFromInline
  mutating func replaceByte(at offset: Int, withLongVarint number: Int) {
    let length = (Int.bitWidth - number.leadingZeroBitCount + 6) / 7
    reserve(length - 1)
    (base + offset + length).copyMemory(from: base + offset + 1, byteCount: count - offset - 1)
    for index in 0..<length {
      let group = UInt8(truncatingIfNeeded: number >> (7 * index)) & 0x7F
      base.storeBytes(of: index < length - 1 ? group | 0x80 : group, toByteOffset: offset + index, as: UInt8.self)
    }
    count += length - 1
  }

  /// Appends the eight bytes of a number, the lowest first.
  @inlinable
  package mutating func append(littleEndian number: UInt64) {
    reserve(8)
    base.storeBytes(of: number.littleEndian, toByteOffset: count, as: UInt64.self)
    count &+= 8
  }
}
