import Glibc

/// The network that a request comes from, as far as one client can control all of it: an IPv4 address, or a /64 of
/// IPv6, the least that a household is assigned.
struct ClientNetwork: Hashable, Sendable {
  private enum Prefix: Hashable, Sendable { case four, household, site }

  private let bits: UInt64
  private let prefix: Prefix

  private init(_ bits: UInt64, prefix: Prefix) {
    self.bits = bits
    self.prefix = prefix
  }

  /// Returns nil if the text is not an address, or is a loopback address: such requests come from a proxy for unknown
  /// clients.
  init?(_ text: String) {
    if let four = Self.plainFour(text) {
      guard four >> 24 != 127 else { return nil }
      self.init(UInt64(four), prefix: .four)
      return
    }
    let text = text.trimmingPrefix { $0 == " " || $0 == "[" }
    if let four = Self.four(text) {
      guard four >> 24 != 127 else { return nil }
      self.init(UInt64(four), prefix: .four)
    } else if let (high, low) = Self.six(text) {
      guard high != 0 || low != 1 else { return nil }
      // An IPv4-mapped IPv6 address (RFC 4291, section 2.5.5.2).
      let isMapped = high == 0 && low >> 32 == 0xFFFF
      guard !isMapped || low >> 24 & 0xFF != 127 else { return nil }
      self.init(isMapped ? low & 0xFFFF_FFFF : high, prefix: isMapped ? .four : .household)
    } else {
      return nil
    }
  }

  /// The /48 of IPv6 that contains this network. A site is commonly assigned a /48, which has 65,536 networks (RFC
  /// 6177). Nil for IPv4.
  var site: ClientNetwork? { prefix == .household ? ClientNetwork(bits >> 16, prefix: .site) : nil }

  /// A number that is unique among networks and sites. IPv4 addresses set the top bit with zeros after it: no IPv6
  /// network begins with 8000:0 (RFC 4291, section 2.4).
  var key: UInt64 { prefix == .four ? bits | 1 << 63 : bits }

  /// For the log: an IPv4 address, or the prefix of an IPv6 network.
  var text: String {
    if prefix == .four { return (0..<4).map { "\(bits >> (24 - 8 * UInt64($0)) & 0xFF)" }.joined(separator: ".") }
    let all = prefix == .site ? bits << 16 : bits
    let parts = (0..<4).map { String(all >> (48 - 16 * UInt64($0)) & 0xFFFF, radix: 16) }
    return parts.joined(separator: ":") + (prefix == .site ? "::/48" : "::/64")
  }

  /// The key of turns in queues and of the share of bytes in flight. A site's networks share one.
  var lane: ClientNetwork { site ?? self }

  /// An address of four numbers and nothing else, which most are. Each mutation reads one: it takes a tenth of the
  /// instructions of `four(_:)`.
  private static func plainFour(_ text: String) -> UInt32? {
    var (address, octet, digits, dots): (UInt32, UInt32, Int, Int) = (0, 0, 0, 0)
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        // Numbers do not begin with a zero.
        guard digits < 3, digits == 0 || octet > 0 else { return nil }
        octet = octet * 10 + UInt32(byte - UInt8(ascii: "0"))
        digits += 1
      case UInt8(ascii: "."):
        guard digits > 0, octet <= 255, dots < 3 else { return nil }
        (address, octet, digits, dots) = (address << 8 | octet, 0, 0, dots + 1)
      default: return nil
      }
    }
    guard dots == 3, digits > 0, octet <= 255 else { return nil }
    return address << 8 | octet
  }

  /// Some proxies append the port.
  private static func four(_ text: Substring) -> UInt32? {
    var address = in_addr()
    guard inet_pton(AF_INET, String(text.prefix { $0 != ":" && $0 != " " }), &address) == 1 else { return nil }
    return UInt32(bigEndian: address.s_addr)
  }

  private static func six(_ text: Substring) -> (high: UInt64, low: UInt64)? {
    var address = in6_addr()
    let bare = String(text.prefix { $0 != "]" && $0 != "%" && $0 != " " })
    guard inet_pton(AF_INET6, bare, &address) == 1 else { return nil }
    return withUnsafeBytes(of: address) { bytes in
      (
        UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
        UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
      )
    }
  }
}
