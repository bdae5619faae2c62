extension JSONReader {
  /// Parses the string whose opening quotation mark is the next byte (RFC 8259, section 7).
  ///
  /// Eight bytes are examined together, and in long strings 32. Bytes that need individual handling (a quotation mark,
  /// a backslash, a control character, a byte beyond ASCII) are located by their index in the word.
  mutating func readString() throws(JSONError) {
    var end = skipPlainBlocks(from: at &+ 1)
    var kind = JSONNode.Kind.plainString
    while true {
      while end &+ 8 <= count {
        let special = Self.special(base.loadUnaligned(fromByteOffset: end, as: UInt64.self).littleEndian)
        if special != 0 {
          end &+= special.trailingZeroBitCount &>> 3
          break
        }
        end &+= 8
      }
      guard end < count else { throw failure(.unexpectedEnd, at: count) }
      let byte = byte(end)
      if byte == UInt8(ascii: "\"") {
        append(kind, upTo: end &+ 1)
        return
      }
      if byte == UInt8(ascii: "\\") {
        kind = .escapedString
        guard end &+ 1 < count else { throw failure(.unexpectedEnd, at: count) }
        end = Self.isShortEscape(self.byte(end &+ 1)) ? end &+ 2 : try unicodeEscapeEnd(from: end)
      } else if byte >= 0x80 {
        end = try characterEnd(from: end)
      } else if byte < 0x20 {
        throw failure(.controlCharacter, at: end)
      } else {
        // Reached only in the last seven bytes of the text.
        end &+= 1
      }
    }
  }

  /// The end of the blocks of 32 bytes from `start` that need no individual handling. A block takes half the
  /// instructions of its four words. A short string costs the test of its first word.
  @inline(__always)
  private func skipPlainBlocks(from start: Int) -> Int {
    var end = start
    guard end &+ 32 <= count, Self.special(base.loadUnaligned(fromByteOffset: end, as: UInt64.self)) == 0 else {
      return end
    }
    let ones = SIMD4<UInt64>(repeating: 0x0101_0101_0101_0101)
    while end &+ 32 <= count {
      let words = base.loadUnaligned(fromByteOffset: end, as: SIMD4<UInt64>.self)
      // As in `special`, of four words.
      let quotesAndControls = (words ^ (ones &* 0x02)) &- (ones &* 0x21)
      let backslashes = (words ^ (ones &* 0x5C)) &- ones
      let marks = quotesAndControls | backslashes | words
      let halves = marks.lowHalf | marks.highHalf
      guard (halves[0] | halves[1]) & 0x8080_8080_8080_8080 == 0 else { break }
      end &+= 32
    }
    return end
  }

  /// Sets the top bit of each byte that needs individual handling. A borrow can also mark bytes above such a byte, but
  /// never below it: the lowest mark is correct.
  ///
  /// Flipping bit 2 moves the quotation mark, 0x22, next to the control characters, to 0x20, and the bytes there above
  /// it. Bytes beyond ASCII are marked separately, so that the subtraction need not be correct for them.
  @inline(__always)
  private static func special(_ word: UInt64) -> UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let quotesAndControls = (word ^ (ones &* 0x02)) &- (ones &* 0x21)
    let backslashes = (word ^ (ones &* 0x5C)) &- ones
    return (quotesAndControls | backslashes | word) & 0x8080_8080_8080_8080
  }

  /// Whether the byte can follow a backslash, except `u`.
  @inline(__always)
  private static func isShortEscape(_ byte: UInt8) -> Bool {
    // Sequential tests: a switch would become a jump table, which is slower for the two common bytes.
    byte == UInt8(ascii: "n") || byte == UInt8(ascii: "\"") || isRareShortEscape(byte)
  }

  private static func isRareShortEscape(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"), UInt8(ascii: "r"),
      UInt8(ascii: "t"):
      true
    default: false
    }
  }

  /// The end of the `\u` escape that begins at `start`. A surrogate pair counts as one escape.
  private func unicodeEscapeEnd(from start: Int) throws(JSONError) -> Int {
    guard byte(start &+ 1) == UInt8(ascii: "u") else { throw failure(.malformedEscape, at: start) }
    let unit = try codeUnit(at: start)
    if unit & 0xF800 != 0xD800 { return start &+ 6 }
    // The high surrogate is below 0xDC00. The low surrogate, which must follow it, is not.
    guard unit < 0xDC00, start &+ 7 < count, byte(start &+ 6) == 0x5C, byte(start &+ 7) == UInt8(ascii: "u"),
      try codeUnit(at: start &+ 6) & 0xFC00 == 0xDC00
    else { throw failure(.loneSurrogate, at: start) }
    return start &+ 12
  }

  /// The four hexadecimal digits of the `\u` escape that begins at `start`.
  private func codeUnit(at start: Int) throws(JSONError) -> UInt32 {
    guard start &+ 6 <= count else { throw failure(.unexpectedEnd, at: count) }
    let digits = UnsafeRawBufferPointer(start: base + start + 2, count: 4)
    guard let unit = JSONEscape.codeUnit(digits) else { throw failure(.malformedEscape, at: start) }
    return unit
  }

  /// The end of the non-ASCII character that begins at `start`, which must be well-formed by table 3-7 of the Unicode
  /// Standard.
  private func characterEnd(from start: Int) throws(JSONError) -> Int {
    let first = byte(start)
    let length: Int
    // The range of the second byte, which excludes overlong forms, surrogates, and code points beyond U+10FFFF.
    var second: ClosedRange<UInt8> = 0x80...0xBF
    switch first {
    case 0xC2...0xDF: length = 2
    case 0xE0: (length, second) = (3, 0xA0...0xBF)
    case 0xED: (length, second) = (3, 0x80...0x9F)
    case 0xE1...0xEF: length = 3
    case 0xF0: (length, second) = (4, 0x90...0xBF)
    case 0xF4: (length, second) = (4, 0x80...0x8F)
    case 0xF1...0xF3: length = 4
    default: throw failure(.invalidUTF8, at: start)
    }
    guard start &+ length <= count, second.contains(byte(start &+ 1)) else { throw failure(.invalidUTF8, at: start) }
    var offset = 2
    while offset < length {
      guard byte(start &+ offset) & 0xC0 == 0x80 else { throw failure(.invalidUTF8, at: start) }
      offset &+= 1
    }
    return start &+ length
  }
}
