import Glibc

/// Where a request comes from, as far as somebody can have it for themselves: an address of IPv4, or the first half of
/// one of IPv6, of which a household has all the rest.
struct ClientNetwork: Hashable, Sendable {
  private let bits: UInt64
  private let isFour: Bool

  /// Equal for equal networks only: no network of IPv6 begins with 8000:0 (RFC 4291, section 2.4), as those of IPv4 do here.
  var key: UInt64 { isFour ? bits | 1 << 63 : bits }

  /// Nil where the text is no address, or that of this machine: then it is a proxy that asks, for whoever it may be.
  init?(_ text: String) {
    let text = text.trimmingPrefix { $0 == " " || $0 == "[" }
    if let four = Self.four(text) {
      guard four >> 24 != 127 else { return nil }
      (bits, isFour) = (UInt64(four), true)
    } else if let (high, low) = Self.six(text) {
      guard high != 0 || low != 1 else { return nil }
      // An address of IPv4 in one of IPv6 (RFC 4291, section 2.5.5.2).
      let isMapped = high == 0 && low >> 32 == 0xFFFF
      guard !isMapped || low >> 24 & 0xFF != 127 else { return nil }
      (bits, isFour) = isMapped ? (low & 0xFFFF_FFFF, true) : (high, false)
    } else {
      return nil
    }
  }

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
