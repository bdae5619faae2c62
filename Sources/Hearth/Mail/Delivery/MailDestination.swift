/// The destination of mails.
package enum MailDestination: Sendable {
  /// A folder that gets a file for each mail.
  case folder(String)
  /// An SMTP server that relays mails.
  case server(SMTPServer)

  /// Parses `file:DIR` or `smtp://[user:password@]host[:port]`. Returns nil for any other text.
  package init?(_ text: String) {
    if text.hasPrefix("file:"), text.utf8.count > 5 {
      self = .folder(String(text.dropFirst(5)))
    } else if let server = SMTPServer(text) {
      self = .server(server)
    } else {
      return nil
    }
  }

  /// For operators: without credentials.
  var name: String {
    switch self {
    case .folder(let path): path
    case .server(let server): server.url
    }
  }

  var transport: any MailTransport {
    switch self {
    case .folder(let path): OutboxFolder(path: path)
    case .server(let server): SMTPRelay(server)
    }
  }
}
