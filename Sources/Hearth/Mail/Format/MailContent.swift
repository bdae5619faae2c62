/// The content of a mail, rendered as plain text and as HTML.
struct MailContent: Sendable {
  enum Paragraph: Sendable {
    case text(String)
    /// A link.
    case link(String, url: String)
    /// A code to copy.
    case code(String)
  }

  /// The language of the text, as a language tag.
  var language = "en"
  let subject: String
  let paragraphs: [Paragraph]

  var plain: String {
    paragraphs.map { paragraph in
      switch paragraph {
      case .text(let text): text
      case .link(let label, let url): "\(label):\n\(url)"
      case .code(let code): "  \(code)"
      }
    }.joined(separator: "\n\n") + "\n"
  }

  var html: String {
    let body = paragraphs.map { paragraph in
      switch paragraph {
      case .text(let text): "<p>\(Self.escaped(text))</p>"
      case .link(let label, let url): "<p><a href=\"\(Self.escaped(url))\">\(Self.escaped(label))</a></p>"
      case .code(let code): "<p><code>\(Self.escaped(code))</code></p>"
      }
    }.joined(separator: "\n")
    return """
      <!DOCTYPE html>
      <html lang="\(language)">
      <head><meta charset="utf-8"><title>\(Self.escaped(subject))</title></head>
      <body>
      \(body)
      </body>
      </html>

      """
  }

  /// By scalars: a combining mark after `<` forms another character with it, but `<` is still a scalar of its own.
  static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "'": escaped += "&#39;"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
