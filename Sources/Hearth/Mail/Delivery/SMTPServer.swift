import Foundation

/// An SMTP server, and the credentials for it.
package struct SMTPServer: Sendable {
  /// Whether the connection is encrypted from its first byte (RFC 8314), instead of by STARTTLS.
  let isEncrypted: Bool
  let host: String
  let port: Int
  let user: String?
  let password: String?

  /// Parses `smtp://[user:password@]host[:port]`, or the same with `smtps://`. Returns nil for any other text. The
  /// default port is 465 for `smtps`, 587 for submission with a password (RFC 6409), and 25 otherwise.
  init?(_ text: String) {
    guard let parts = URLComponents(string: text), let scheme = parts.scheme, ["smtp", "smtps"].contains(scheme),
      let host = parts.host, !host.isEmpty, ["", "/"].contains(parts.path), parts.query == nil,
      parts.fragment == nil, (parts.user == nil) == (parts.password == nil)
    else { return nil }
    isEncrypted = scheme == "smtps"
    self.host = host
    user = parts.user
    password = parts.password
    port = parts.port ?? (isEncrypted ? 465 : parts.user == nil ? 25 : 587)
    guard (1...65_535).contains(port) else { return nil }
  }

  /// The URL for libcurl, without the credentials.
  var url: String { "\(isEncrypted ? "smtps" : "smtp")://\(host):\(port)" }
}

/// The description does not contain the password.
extension SMTPServer: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  package var description: String { url }
  package var debugDescription: String { url }
  package var customMirror: Mirror { Mirror(self, children: ["url": url]) }
}
