/// The destination of mails.
package enum MailDestination: Sendable {
  /// A folder that gets a file for each mail.
  case folder(String)
  /// An SMTP server that relays mails.
  case server(SMTPServer)

  /// Parses `file:DIR`, or an SMTP server (`SMTPServer`). Returns nil for any other text.
  package init?(_ text: String) {
    if text.hasPrefix("file:"), text.utf8.count > 5 {
      self = .folder(String(text.dropFirst(5)))
    } else if let server = SMTPServer(text) {
      self = .server(server)
    } else {
      return nil
    }
  }

  /// The destination that is configured, or the folder `outbox`. A relative folder is in the data folder.
  init(_ configured: MailDestination?, in directory: String) {
    switch configured {
    case nil: self = .folder(DataFile.outbox.path(in: directory))
    case .folder(let path)? where !path.hasPrefix("/"): self = .folder("\(directory)/\(path)")
    case let configured?: self = configured
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
