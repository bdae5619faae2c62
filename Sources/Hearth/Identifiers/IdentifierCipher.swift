import Bytes

/// Encrypts keys to the ids that clients see. An id has 13 characters, does not reveal how many objects exist, and
/// cannot be guessed.
///
/// A key is encrypted with Speck64/128 (Beaulieu and others, 2013), whose secret is stored in the database, and written
/// in Crockford's base 32. Keys are encrypted rather than random so that they can increase with age and related rows
/// are stored next to each other. Each direction takes about 30 ns.
struct IdentifierCipher: Sendable {
  static let length = 13
  private static let rounds = 27
  private static let alphabet = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)
  /// The value of each byte that is a digit, and 0xFF for all other bytes.
  private static let values: [UInt8] = {
    var values = [UInt8](repeating: 0xFF, count: 256)
    for (value, character) in alphabet.enumerated() { values[Int(character)] = UInt8(value) }
    return values
  }()

  // Values without references, which each call that reads or writes ids would retain.
  private let roundKeys: InlineArray<27, UInt32>
  /// The two digits for each value of ten bits. Read by a pointer, because every id reads them seven times: an array
  /// would compare each index.
  nonisolated(unsafe) private let pairs = IdentifierCipher.sharedPairs

  /// Never freed.
  nonisolated(unsafe) private static let sharedPairs: UnsafePointer<UInt16> = {
    let pairs = UnsafeMutablePointer<UInt16>.allocate(capacity: 1024)
    for value in 0..<1024 {
      (pairs + value).initialize(to: UInt16(alphabet[value & 31]) << 8 | UInt16(alphabet[value >> 5]))
    }
    return UnsafePointer(pairs)
  }()

  /// - Parameter secret: 16 bytes: four words, the least significant byte first.
  init?(secret: [UInt8]) {
    guard secret.count == 16 else { return nil }
    var words = (0..<4).map { word in
      (0..<4).reduce(UInt32(0)) { $0 | UInt32(secret[word * 4 + $1]) << UInt32($1 * 8) }
    }
    var keys = [words[0]]
    for round in 0..<(Self.rounds - 1) {
      let next = (words[0] &+ Self.rotatedRight(words[1], by: 8)) ^ UInt32(round)
      words[0] = Self.rotatedLeft(words[0], by: 3) ^ next
      keys.append(words[0])
      words = [words[0], words[2], words[3], next]
    }
    roundKeys = InlineArray { keys[$0] }
  }

  /// Passes the id's 13 characters to `body`.
  func withText<Result>(of key: GlobalID, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    var rest = encipher(UInt64(bitPattern: key.rawValue))
    return withUnsafeTemporaryAllocation(byteCount: 16, alignment: 2) { text in
      // Two digits at a time, the least significant first. The first character alone holds the top four bits.
      var at = Self.length - 2
      while at > 0 {
        text.storeBytes(of: pairs[Int(truncatingIfNeeded: rest & 1023)], toByteOffset: at, as: UInt16.self)
        rest >>= 10
        at -= 2
      }
      text[0] = UInt8(pairs[Int(truncatingIfNeeded: rest)] >> 8)
      return body(UnsafeRawBufferPointer(rebasing: text[..<Self.length]))
    }
  }

  func text(of key: GlobalID) -> String {
    withText(of: key) { String(decoding: $0, as: UTF8.self) }
  }

  /// Whether a text has the form of an id. An id of another secret has it, too.
  static func isID(_ text: String) -> Bool { number(in: text) != nil }

  /// Returns the key, or nil if the text is not an id. The object may not exist.
  func key(of text: String) -> GlobalID? {
    guard let number = number(of: text) else { return nil }
    let key = GlobalID(rawValue: number)
    return key.rawValue > 0 && key.kind != nil ? key : nil
  }

  /// The key in an argument that names a person or another member. The id of an adult's account is accepted as that of
  /// the person.
  func person(of text: String) -> GlobalID? {
    key(of: text).map { $0.kind == .account ? $0.viewed(as: .person) : $0 }
  }

  /// The text of a feed position as clients see it. Positions and ids share the cipher, but never a text: a position
  /// has the kind 0, which no key has.
  func text(ofPosition position: Int64) -> String { text(of: GlobalID(rawValue: position << GlobalID.kindBits)) }

  /// Returns the position, or nil if the text is not a position. One in 128 invented texts decrypts to a position.
  /// Nearly all of those are far beyond the newest one.
  func position(of text: String) -> Int64? {
    guard let number = number(of: text), number >= 0, number & (1 << GlobalID.kindBits - 1) == 0 else { return nil }
    return number >> GlobalID.kindBits
  }

  private func number(of text: String) -> Int64? {
    Self.number(in: text).map { Int64(bitPattern: decipher($0)) }
  }

  /// The encrypted number that a text consists of.
  @inline(__always) private static func number(in text: String) -> UInt64? {
    var text = text
    return text.withUTF8 { bytes in
      guard bytes.count == length else { return nil }
      // Read by its pointer, because a global is initialized before each use, if it was not before.
      return values.withUnsafeBufferPointer { values in
        var number: UInt64 = 0
        for byte in bytes {
          let value = values[Int(byte)]
          // The first digit stands for four bits only.
          guard value != 0xFF, number >> 59 == 0 else { return nil }
          number = number << 5 | UInt64(value)
        }
        return number
      }
    }
  }

  // MARK: Speck64/128

  private func encipher(_ block: UInt64) -> UInt64 {
    var y = UInt32(truncatingIfNeeded: block)
    var x = UInt32(truncatingIfNeeded: block >> 32)
    // The subscript of the array itself copies it each time.
    let keys = roundKeys.span
    for round in 0..<Self.rounds {
      x = (Self.rotatedRight(x, by: 8) &+ y) ^ keys[unchecked: round]
      y = Self.rotatedLeft(y, by: 3) ^ x
    }
    return UInt64(x) << 32 | UInt64(y)
  }

  private func decipher(_ block: UInt64) -> UInt64 {
    var y = UInt32(truncatingIfNeeded: block)
    var x = UInt32(truncatingIfNeeded: block >> 32)
    let keys = roundKeys.span
    for round in (0..<Self.rounds).reversed() {
      y = Self.rotatedRight(y ^ x, by: 3)
      x = Self.rotatedLeft((x ^ keys[unchecked: round]) &- y, by: 8)
    }
    return UInt64(x) << 32 | UInt64(y)
  }

  @inline(__always)
  private static func rotatedRight(_ word: UInt32, by count: UInt32) -> UInt32 {
    word &>> count | word &<< (32 &- count)
  }
  @inline(__always)
  private static func rotatedLeft(_ word: UInt32, by count: UInt32) -> UInt32 {
    word &<< count | word &>> (32 &- count)
  }
}
