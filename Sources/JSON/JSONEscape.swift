/// The escapes of a string (RFC 8259, section 7).
package enum JSONEscape {
  /// Decodes the bytes between the quotation marks of a string that was found to be well-formed.
  package static func decode(_ content: ArraySlice<UInt8>) -> [UInt8] { content.withUnsafeBytes { decode($0) } }

  /// Decodes the bytes between the quotation marks of a string that was found to be well-formed.
  static func decode(_ content: UnsafeRawBufferPointer) -> [UInt8] {
    // No escape is shorter than the character that it represents.
    [UInt8](unsafeUninitializedCapacity: content.count) { output, length in
      var at = 0
      var written = 0
      while at < content.count {
        // Bytes without escapes are copied eight at a time. Bytes copied too far are overwritten later. The output has
        // room for them, because no escape is shorter than its character.
        while at &+ 8 <= content.count {
          let word = content.loadUnaligned(fromByteOffset: at, as: UInt64.self).littleEndian
          UnsafeMutableRawBufferPointer(output).storeBytes(
            of: word.littleEndian,
            toByteOffset: written,
            as: UInt64.self
          )
          let differences = word ^ 0x5C5C_5C5C_5C5C_5C5C
          let backslashes = (differences &- 0x0101_0101_0101_0101) & ~differences & 0x8080_8080_8080_8080
          let length = backslashes == 0 ? 8 : backslashes.trailingZeroBitCount &>> 3
          at &+= length
          written &+= length
          if length < 8 { break }
        }
        if at == content.count { break }
        let byte = content[at]
        if byte != UInt8(ascii: "\\") {
          output[written] = byte
          written &+= 1
          at &+= 1
          continue
        }
        let name = content[at &+ 1]
        if name == UInt8(ascii: "u") {
          at &+= decodeCodeUnits(of: UnsafeRawBufferPointer(rebasing: content[at...]), into: output, at: &written)
        } else {
          output[written] = character(named: name)
          written &+= 1
          at &+= 2
        }
      }
      length = written
    }
  }

  /// The value of four hexadecimal digits, or nil.
  static func codeUnit(_ digits: UnsafeRawBufferPointer) -> UInt32? {
    var unit: UInt32 = 0
    for digit in digits {
      let value: UInt8
      switch digit {
      case 0x30...0x39: value = digit &- 0x30
      case 0x41...0x46: value = digit &- 0x37
      case 0x61...0x66: value = digit &- 0x57
      default: return nil
      }
      unit = unit &<< 4 | UInt32(value)
    }
    return unit
  }

  private static func character(named name: UInt8) -> UInt8 {
    switch name {
    case UInt8(ascii: "b"): 0x08
    case UInt8(ascii: "f"): 0x0C
    case UInt8(ascii: "n"): 0x0A
    case UInt8(ascii: "r"): 0x0D
    case UInt8(ascii: "t"): 0x09
    default: name
    }
  }

  /// Decodes the `\u` escape, or the pair of escapes, at the start of `text`. Returns the length of the escapes.
  private static func decodeCodeUnits(
    of text: UnsafeRawBufferPointer,
    into output: UnsafeMutableBufferPointer<UInt8>,
    at written: inout Int
  ) -> Int {
    // The reader has validated the digits, so the zero is never used.
    let unit = codeUnit(UnsafeRawBufferPointer(rebasing: text[2..<6])) ?? 0
    var scalar = unit
    var length = 6
    if unit & 0xF800 == 0xD800 {
      let second = codeUnit(UnsafeRawBufferPointer(rebasing: text[8..<12])) ?? 0
      scalar = 0x10000 &+ (unit & 0x3FF) &<< 10 | second & 0x3FF
      length = 12
    }
    func write(_ byte: UInt32) {
      output[written] = UInt8(truncatingIfNeeded: byte)
      written &+= 1
    }
    if scalar < 0x80 {
      write(scalar)
    } else if scalar < 0x800 {
      write(0xC0 | scalar &>> 6)
      write(0x80 | scalar & 0x3F)
    } else if scalar < 0x10000 {
      write(0xE0 | scalar &>> 12)
      write(0x80 | scalar &>> 6 & 0x3F)
      write(0x80 | scalar & 0x3F)
    } else {
      write(0xF0 | scalar &>> 18)
      write(0x80 | scalar &>> 12 & 0x3F)
      write(0x80 | scalar &>> 6 & 0x3F)
      write(0x80 | scalar & 0x3F)
    }
    return length
  }
}
