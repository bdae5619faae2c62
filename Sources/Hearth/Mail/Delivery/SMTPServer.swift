import Foundation

/// A server that takes mails on, and how to sign in there.
package struct SMTPServer: Sendable {
  let host: String
  let port: Int
  let user: String?
  let password: String?

  /// `smtp://[user:password@]host[:port]`; nil where it is none. Without a port it is that for submission where one
  /// signs in, 587 (RFC 6409), and that of mail servers elsewhere, 25.
  init?(_ text: String) {
    guard let parts = URLComponents(string: text), parts.scheme == "smtp", let host = parts.host, !host.isEmpty,
      ["", "/"].contains(parts.path), parts.query == nil, parts.fragment == nil,
      (parts.user == nil) == (parts.password == nil)
    else { return nil }
    self.host = host
    user = parts.user
    password = parts.password
    port = parts.port ?? (parts.user == nil ? 25 : 587)
    guard (1...65_535).contains(port) else { return nil }
  }

  /// For libcurl, without what one signs in with.
  var url: String { "smtp://\(host):\(port)" }
}

/// Nothing prints the password.
extension SMTPServer: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  package var description: String { url }
  package var debugDescription: String { url }
  package var customMirror: Mirror { Mirror(self, children: ["url": url]) }
}
