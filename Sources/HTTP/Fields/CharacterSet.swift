/// A set of ASCII characters as two words: a membership test is a shift, with no table in memory.
struct CharacterSet: Sendable {
  private let low: UInt64
  private let high: UInt64

  private init(low: UInt64, high: UInt64) {
    self.low = low
    self.high = high
  }

  /// Built by the compiler's optimizer where the text is a literal; the sets below are made once.
  init(_ characters: StaticString) {
    var low: UInt64 = 0
    var high: UInt64 = 0
    for offset in 0..<characters.utf8CodeUnitCount {
      let byte = characters.utf8Start[offset]
      if byte < 64 { low |= 1 << UInt64(byte) } else { high |= 1 << UInt64(byte & 63) }
    }
    self.init(low: low, high: high)
  }

  func union(_ other: CharacterSet) -> CharacterSet {
    CharacterSet(low: low | other.low, high: high | other.high)
  }

  @inline(__always)
  func contains(_ byte: UInt8) -> Bool {
    let word = byte < 64 ? low : high
    return byte < 128 && (word &>> UInt64(byte & 63)) & 1 == 1
  }

  private static let alphanumeric = CharacterSet("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
  /// `tchar` (RFC 9110, section 5.6.2): methods, header names, the words of header values.
  static let token = alphanumeric.union(CharacterSet("!#$%&'*+-.^_`|~"))
  /// `reg-name` (RFC 3986, section 3.2.2); an IPv4 address is one too.
  static let hostName = alphanumeric.union(CharacterSet("-._~!$&'()*+,;=%"))
  /// What stands between the brackets of an `IP-literal`.
  static let address = alphanumeric.union(CharacterSet("-._~!$&'()*+,;=:"))
  /// A path (RFC 3986, section 3.3), and three characters more that browsers leave as they are.
  static let path = alphanumeric.union(CharacterSet("-._~!$&'()*+,;=%:@/[]|"))
  /// A query (RFC 3986, section 3.4), and the characters that browsers leave as they are (URL Standard, section 1.3).
  static let query = path.union(CharacterSet("?{}\\^`"))
}
