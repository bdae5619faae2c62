import Glibc

/// The network that a request comes from, as far as one client can have it for itself: an address of IPv4, or a /64 of
/// IPv6, which is what a household is assigned at least.
struct ClientNetwork: Hashable, Sendable {
  private enum Prefix: Hashable, Sendable { case four, household, site }

  private let bits: UInt64
  private let prefix: Prefix

  private init(_ bits: UInt64, _ prefix: Prefix) {
    self.bits = bits
    self.prefix = prefix
  }

  /// Nil when the text is no address, or one of this machine: then a proxy asks, on behalf of unknown clients.
  init?(_ text: String) {
    let text = text.trimmingPrefix { $0 == " " || $0 == "[" }
    if let four = Self.four(text) {
      guard four >> 24 != 127 else { return nil }
      self.init(UInt64(four), .four)
    } else if let (high, low) = Self.six(text) {
      guard high != 0 || low != 1 else { return nil }
      // An address of IPv4 in one of IPv6 (RFC 4291, section 2.5.5.2).
      let isMapped = high == 0 && low >> 32 == 0xFFFF
      guard !isMapped || low >> 24 & 0xFF != 127 else { return nil }
      self.init(isMapped ? low & 0xFFFF_FFFF : high, isMapped ? .four : .household)
    } else {
      return nil
    }
  }

  /// The /48 of IPv6 that this is part of: one site is commonly assigned that, which is 65,536 networks (RFC 6177). Nil
  /// for IPv4.
  var site: ClientNetwork? { prefix == .household ? ClientNetwork(bits >> 16, .site) : nil }

  /// Equal for equal networks of one kind only: no network of IPv6 begins with 8000:0 (RFC 4291, section 2.4), as those
  /// of IPv4 do here.
  var key: UInt64 { prefix == .four ? bits | 1 << 63 : bits }

  /// What shares a turn in queues and a share of the bytes in flight, where a site's many networks must not have many.
  var lane: ClientNetwork { site ?? self }

  /// Some proxies add the port.
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
