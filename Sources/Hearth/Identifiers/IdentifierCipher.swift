import Bytes

/// Makes of a key what clients see as an `id`: thirteen characters that say nothing of how many there are, and that
/// nobody can guess who has not been given them.
///
/// A key is enciphered with Speck64/128 (Beaulieu and others, 2013) under a key that the data file holds, and written
/// in Crockford's base 32. A cipher rather than random keys, so that keys can rise with age and rows that belong
/// together lie together. About 30 ns each way.
struct IdentifierCipher: Sendable {
  static let length = 13
  private static let rounds = 27
  private static let alphabet = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)
  /// The value of each byte that is a digit, and 0xFF for the others.
  private static let values: [UInt8] = {
    var values = [UInt8](repeating: 0xFF, count: 256)
    for (value, character) in alphabet.enumerated() { values[Int(character)] = UInt8(value) }
    return values
  }()

  private let roundKeys: [UInt32]
  /// Two digits for each ten bits.
  private let pairs: [UInt16]

  /// `secret` is 16 bytes: four words, the least significant byte first.
  init?(secret: [UInt8]) {
    guard secret.count == 16 else { return nil }
    var words = (0..<4).map { word in
      (0..<4).reduce(UInt32(0)) { $0 | UInt32(secret[word * 4 + $1]) << UInt32($1 * 8) }
    }
    var keys = [words[0]]
    for round in 0..<(Self.rounds - 1) {
      let next = (words[0] &+ Self.rotatedRight(words[1], 8)) ^ UInt32(round)
      words[0] = Self.rotatedLeft(words[0], 3) ^ next
      keys.append(words[0])
      words = [words[0], words[2], words[3], next]
    }
    roundKeys = keys
    pairs = (0..<1024).map { UInt16(Self.alphabet[$0 & 31]) << 8 | UInt16(Self.alphabet[$0 >> 5]) }
  }

  /// Hands the thirteen characters to `body`.
  func withText<Result>(of key: GlobalID, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    var rest = encipher(UInt64(bitPattern: key.rawValue))
    return withUnsafeTemporaryAllocation(byteCount: 16, alignment: 2) { text in
      // From the least significant digits on, two at a time; the first character alone carries the top four bits.
      var at = Self.length - 2
      while at > 0 {
        text.storeBytes(of: pairs[Int(truncatingIfNeeded: rest & 1023)], toByteOffset: at, as: UInt16.self)
        rest >>= 10
        at -= 2
      }
      text[0] = Self.alphabet[Int(truncatingIfNeeded: rest)]
      return body(UnsafeRawBufferPointer(rebasing: text[..<Self.length]))
    }
  }

  func text(of key: GlobalID) -> String {
    withText(of: key) { String(decoding: $0, as: UTF8.self) }
  }

  /// The key, or nil where the text is no id of ours. What it names may still not exist.
  func key(of text: String) -> GlobalID? {
    guard let number = number(of: text) else { return nil }
    let key = GlobalID(rawValue: number)
    return key.rawValue > 0 && key.kind != nil ? key : nil
  }

  /// A position of the feed as clients see it. Positions and ids share the cipher but no text: a position has the kind
  /// 0, which no key has.
  func text(ofPosition position: Int64) -> String { text(of: GlobalID(rawValue: position << GlobalID.kindBits)) }

  /// The position, or nil for other texts. One in 128 invented texts is taken for a position; nearly all of those are
  /// far beyond the newest.
  func position(of text: String) -> Int64? {
    guard let number = number(of: text), number >= 0, number & (1 << GlobalID.kindBits - 1) == 0 else { return nil }
    return number >> GlobalID.kindBits
  }

  private func number(of text: String) -> Int64? {
    let bytes = text.utf8
    guard bytes.count == Self.length else { return nil }
    var cipher: UInt64 = 0
    for (place, byte) in bytes.enumerated() {
      let value = Self.values[Int(byte)]
      guard value != 0xFF, place > 0 || value < 16 else { return nil }
      cipher = cipher << 5 | UInt64(value)
    }
    return Int64(bitPattern: decipher(cipher))
  }

  // MARK: Speck64/128

  private func encipher(_ block: UInt64) -> UInt64 {
    var y = UInt32(truncatingIfNeeded: block)
    var x = UInt32(truncatingIfNeeded: block >> 32)
    roundKeys.withUnsafeBufferPointer { keys in
      for key in keys {
        x = (Self.rotatedRight(x, 8) &+ y) ^ key
        y = Self.rotatedLeft(y, 3) ^ x
      }
    }
    return UInt64(x) << 32 | UInt64(y)
  }

  private func decipher(_ block: UInt64) -> UInt64 {
    var y = UInt32(truncatingIfNeeded: block)
    var x = UInt32(truncatingIfNeeded: block >> 32)
    for key in roundKeys.reversed() {
      y = Self.rotatedRight(y ^ x, 3)
      x = Self.rotatedLeft((x ^ key) &- y, 8)
    }
    return UInt64(x) << 32 | UInt64(y)
  }

  @inline(__always)
  private static func rotatedRight(_ word: UInt32, _ by: UInt32) -> UInt32 { word &>> by | word &<< (32 &- by) }
  @inline(__always)
  private static func rotatedLeft(_ word: UInt32, _ by: UInt32) -> UInt32 { word &<< by | word &>> (32 &- by) }
}
