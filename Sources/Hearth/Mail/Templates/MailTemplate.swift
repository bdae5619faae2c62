/// The text of a mail with placeholders.
struct MailTemplate: Sendable {
  enum Piece: Sendable {
    case text(String)
    /// - Parameter otherwise: The words for a name that cannot be shown.
    case placeholder(MailPlaceholder, otherwise: String?)
  }

  enum Paragraph: Sendable {
    case text([Piece])
    case link([Piece], url: [Piece])
    case code([Piece])

    func contains(_ placeholder: MailPlaceholder) -> Bool {
      let pieces =
        switch self {
        case .text(let pieces), .code(let pieces): pieces
        case .link(let label, let url): label + url
        }
      return pieces.contains { piece in if case .placeholder(placeholder, _) = piece { true } else { false } }
    }
  }

  let subject: [Piece]
  let paragraphs: [Paragraph]

  /// The same with the paragraph of the program's template by which the recipient stops further invitations, unless the
  /// template has its own: an operator's template may be older than the link, and must not lack it.
  func withStop(of standard: MailTemplate?) -> MailTemplate {
    guard let standard, !paragraphs.contains(where: { $0.contains(.stop) }) else { return self }
    return MailTemplate(subject: subject, paragraphs: paragraphs + standard.paragraphs.filter { $0.contains(.stop) })
  }

  /// Fills in the values. A paragraph with a placeholder that has neither a value nor other words is left out.
  func content(with values: [MailPlaceholder: String], in language: MailLanguage) -> MailContent {
    MailContent(
      language: language.rawValue,
      subject: Self.text(subject, values: values) ?? "",
      paragraphs: paragraphs.compactMap { paragraph in
        switch paragraph {
        case .text(let pieces): Self.text(pieces, values: values).map { .text($0) }
        case .link(let label, let url):
          Self.text(label, values: values).flatMap { label in
            Self.text(url, values: values).map { .link(label, url: $0) }
          }
        case .code(let pieces): Self.text(pieces, values: values).map { .code($0) }
        }
      }
    )
  }

  private static func text(_ pieces: [Piece], values: [MailPlaceholder: String]) -> String? {
    var text = ""
    for piece in pieces {
      switch piece {
      case .text(let words): text += words
      case .placeholder(let placeholder, let otherwise):
        guard let value = values[placeholder] ?? otherwise else { return nil }
        // "Hallo {firstName|}," becomes "Hallo,".
        if value.isEmpty, text.hasSuffix(" ") { text.removeLast() }
        text += value
      }
    }
    return text
  }
}
