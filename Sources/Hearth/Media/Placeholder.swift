import Bytes
import GraphQL

/// The drawing used instead of a missing picture: initials or an icon, in the colours of a theme.
struct Placeholder: Sendable {
  enum Subject: Sendable, Hashable {
    case initials(String)
    case chore
  }

  static let size = 256
  let theme: Theme
  let subject: Subject

  static func of(name: String, theme: Theme) -> Placeholder {
    Placeholder(theme: theme, subject: .initials(initials(of: name)))
  }

  /// For objects other than people: one letter.
  static func of(firstLetterOf name: String, theme: Theme) -> Placeholder {
    Placeholder(theme: theme, subject: .initials(name.first.map(upperCase) ?? ""))
  }

  /// The first letters of the first and of the last word.
  static func initials(of name: String) -> String {
    let words = name.split(whereSeparator: \.isWhitespace)
    guard let first = words.first?.first else { return "" }
    let letters = words.count > 1 ? [first, words[words.count - 1].first ?? first] : [first]
    return letters.map(upperCase).joined()
  }

  /// A letter in upper case. Combining marks are removed if there are too many.
  private static func upperCase(_ letter: Character) -> String {
    let whole = letter.uppercased()
    guard whole.utf8.count > maximumLetterBytes, let bare = letter.unicodeScalars.first else { return whole }
    return String(bare)
  }

  private static let maximumLetterBytes = 48

  /// The path below `/media`. It contains everything that the drawing depends on.
  var path: String {
    let name =
      switch subject {
      case .initials(let letters): "initials-" + letters.utf8.hexadecimal
      case .chore: "chore"
      }
    return "placeholder/\(theme.rawValue.lowercased())/\(name).svg"
  }

  init(theme: Theme, subject: Subject) {
    self.theme = theme
    self.subject = subject
  }

  /// Parses a value of `path`.
  init?(path: String) {
    let parts = path.split(separator: "/")
    guard parts.count == 3, parts[0] == "placeholder", parts[2].hasSuffix(".svg"),
      let theme = Theme(rawValue: parts[1].uppercased())
    else { return nil }
    self.theme = theme
    let name = parts[2].dropLast(4)
    if name == "chore" {
      subject = .chore
      return
    }
    guard name.hasPrefix("initials-") else { return nil }
    let digits = Array(name.dropFirst(9))
    guard digits.count.isMultiple(of: 2), digits.count <= 4 * Self.maximumLetterBytes else { return nil }
    var bytes: [UInt8] = []
    for index in stride(from: 0, to: digits.count, by: 2) {
      guard digits[index].isHexDigit, let byte = UInt8(String(digits[index...(index + 1)]), radix: 16) else {
        return nil
      }
      bytes.append(byte)
    }
    guard let letters = String(validating: bytes, as: UTF8.self) else { return nil }
    subject = .initials(letters)
  }

  var svg: String {
    let (background, foreground) = theme.colours
    let drawing =
      switch subject {
      case .initials(let letters):
        "<text x=\"128\" y=\"132\" dominant-baseline=\"middle\" text-anchor=\"middle\" font-family=\"sans-serif\" "
          + "font-size=\"104\" font-weight=\"600\" fill=\"\(foreground)\">\(Self.escaped(letters))</text>"
      case .chore:
        "<path d=\"M76 132l36 36 68-80\" fill=\"none\" stroke=\"\(foreground)\" stroke-width=\"24\" "
          + "stroke-linecap=\"round\" stroke-linejoin=\"round\"/>"
      }
    return "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"256\" height=\"256\" viewBox=\"0 0 256 256\">"
      + "<rect width=\"256\" height=\"256\" fill=\"\(background)\"/>\(drawing)</svg>"
  }

  /// Escapes scalar by scalar: a `<` with a combining mark is another `Character`, but still starts an element. Scalars
  /// that XML does not allow (XML 1.0, section 2.2) are removed.
  private static func escaped(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "") { escaped, scalar in
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\u{0}"..<" ", "\u{FFFE}", "\u{FFFF}": break
      default: escaped.unicodeScalars.append(scalar)
      }
    }
  }
}

extension Theme {
  /// Background and foreground.
  var colours: (String, String) {
    switch self {
    case .sunrise: ("#FFB347", "#5A2A00")
    case .ocean: ("#4FA9D8", "#062A3D")
    case .forest: ("#6FB36B", "#0E2F0C")
    case .lavender: ("#B39DDB", "#2A1657")
    case .slate: ("#90A4AE", "#1B262B")
    case .candy: ("#F48FB1", "#570A2A")
    }
  }
}
