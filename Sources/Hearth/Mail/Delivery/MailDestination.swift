/// Where mails go.
package enum MailDestination: Sendable {
  /// To files in a folder.
  case folder(String)
  /// To a server that takes them on.
  case server(SMTPServer)

  /// `file:DIR` or `smtp://[user:password@]host[:port]`; nil where it is neither.
  package init?(_ text: String) {
    if text.hasPrefix("file:"), text.utf8.count > 5 {
      self = .folder(String(text.dropFirst(5)))
    } else if let server = SMTPServer(text) {
      self = .server(server)
    } else {
      return nil
    }
  }

  var transport: any MailTransport {
    switch self {
    case .folder(let path): OutboxFolder(path: path)
    case .server(let server): SMTPRelay(server)
    }
  }
}
