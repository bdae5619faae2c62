/// `uri-host [ ":" port ]` (RFC 9110, section 7.2).
package enum Host {
  /// Whether the text is a host name, an IPv4 address or a bracketed address, with an optional port. An empty host is
  /// invalid in http URIs (RFC 9110, section 4.2.1).
  static func isValid(_ text: UnsafeRawBufferPointer) -> Bool {
    var at = 0
    if text.first == UInt8(ascii: "[") {
      at = 1
      while at < text.count, text[at] != UInt8(ascii: "]") {
        guard CharacterSet.address.contains(text[at]) else { return false }
        at += 1
      }
      guard at > 2, at < text.count else { return false }
      at += 1
    } else {
      while at < text.count, CharacterSet.hostName.contains(text[at]) { at += 1 }
      guard at > 0 else { return false }
    }
    if at == text.count { return true }
    guard text[at] == UInt8(ascii: ":"), text.count - at <= 6 else { return false }
    return text[(at + 1)...].allSatisfy { $0 >= 0x30 && $0 <= 0x39 }
  }

  /// Whether a valid host ends with a non-empty port.
  static func hasPort(_ text: UnsafeRawBufferPointer) -> Bool {
    guard let colon = text.lastIndex(of: UInt8(ascii: ":")), colon + 1 < text.count else { return false }
    // A colon before the bracket belongs to the address.
    return text.last != UInt8(ascii: "]")
  }

  /// A host without its port. The text must be valid.
  package static func name(in text: String) -> String {
    if text.hasPrefix("["), let end = text.firstIndex(of: "]") { return String(text[...end]) }
    return String(text.prefix { $0 != ":" })
  }

  /// Whether a name is an address: in brackets, or four decimal numbers.
  package static func isAddress(_ name: String) -> Bool {
    if name.hasPrefix("[") { return true }
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts.allSatisfy { $0.allSatisfy { ("0"..."9").contains($0) } && UInt8($0) != nil }
  }
}
