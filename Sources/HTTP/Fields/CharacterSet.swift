/// A set of ASCII characters as two words: a membership test is a shift, without a table in memory.
///
/// The sets are written as numbers because the compiler makes constants of them. Sets built from text would become
/// globals, whose first-use check costs more than the test. The tests compare the numbers with the text.
struct CharacterSet: Sendable {
  /// One bit for each of the characters 0 to 63.
  private let low: UInt64
  /// One bit for each of the characters 64 to 127.
  private let high: UInt64

  @inline(__always)
  private init(low: UInt64, high: UInt64) {
    self.low = low
    self.high = high
  }

  @inline(__always)
  func contains(_ byte: UInt8) -> Bool {
    let word = byte < 64 ? low : high
    return byte < 128 && (word &>> UInt64(byte & 63)) & 1 == 1
  }

  /// `tchar` (RFC 9110, section 5.6.2), of which methods and header names are made: letters, digits,
  /// ``!#$%&'*+-.^_`|~``.
  static var token: CharacterSet { CharacterSet(low: 0x03FF_6CFA_0000_0000, high: 0x57FF_FFFF_C7FF_FFFE) }
  /// `reg-name` (RFC 3986, section 3.2.2), of which an IPv4 address is one: letters, digits, `-._~!$&'()*+,;=%`.
  static var hostName: CharacterSet { CharacterSet(low: 0x2BFF_7FF2_0000_0000, high: 0x47FF_FFFE_87FF_FFFE) }
  /// The characters between the brackets of an `IP-literal`: letters, digits, `-._~!$&'()*+,;=:`.
  static var address: CharacterSet { CharacterSet(low: 0x2FFF_7FD2_0000_0000, high: 0x47FF_FFFE_87FF_FFFE) }
  /// A path (RFC 3986, section 3.3), and three further characters that browsers do not encode: letters, digits,
  /// `-._~!$&'()*+,;=%:@/` and `[]|`.
  static var path: CharacterSet { CharacterSet(low: 0x2FFF_FFF2_0000_0000, high: 0x57FF_FFFE_AFFF_FFFF) }
  /// A query (RFC 3986, section 3.4), and the characters that browsers do not encode (URL Standard, section 1.3): those
  /// of a path, and ``?{}\^` ``.
  static var query: CharacterSet { CharacterSet(low: 0xAFFF_FFF2_0000_0000, high: 0x7FFF_FFFF_FFFF_FFFF) }
}
