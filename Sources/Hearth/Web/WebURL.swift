import Foundation

/// The URL of another server: HTTPS, or HTTP on this machine.
package struct WebURL: Sendable {
  let text: String
  let isLoopback: Bool

  /// Returns nil for any other text.
  package init?(_ text: String) {
    guard text.utf8.count <= 8_192, let parts = URLComponents(string: text), let host = parts.host, !host.isEmpty,
      parts.fragment == nil
    else { return nil }
    isLoopback = ["localhost", "127.0.0.1", "::1", "[::1]"].contains(host.lowercased())
    guard parts.scheme == "https" || (parts.scheme == "http" && isLoopback) else { return nil }
    self.text = text
  }

  /// The URL with a path appended and query parameters.
  func appending(_ path: String, parameters: [(name: String, value: String)]) -> WebURL? {
    let base = text.hasSuffix("/") ? String(text.dropLast()) : text
    let query = parameters.map { "\($0.name)=\(Self.encoded($0.value))" }.joined(separator: "&")
    return WebURL("\(base)/\(path)?\(query)")
  }

  /// The URL with a path appended.
  func appending(path: String) -> WebURL? { WebURL("\(text.hasSuffix("/") ? String(text.dropLast()) : text)/\(path)") }

  /// Percent-encodes all but unreserved characters (RFC 3986, section 2.3).
  private static func encoded(_ text: String) -> String {
    var encoded = ""
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "~"):
        encoded.unicodeScalars.append(Unicode.Scalar(byte))
      default: encoded += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }
    return encoded
  }
}
