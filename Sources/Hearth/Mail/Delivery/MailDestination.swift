/// Where mails go.
package enum MailDestination: Sendable {
  /// To files in a folder.
  case folder(String)

  /// `file:DIR`; nil where it is none.
  package init?(_ text: String) {
    guard text.hasPrefix("file:"), text.count > 5 else { return nil }
    self = .folder(String(text.dropFirst(5)))
  }

  var transport: any MailTransport {
    switch self {
    case .folder(let path): OutboxFolder(path: path)
    }
  }
}
