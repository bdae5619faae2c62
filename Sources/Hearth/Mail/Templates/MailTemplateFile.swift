import GraphQL

/// Why a file of templates cannot be used.
struct InvalidTemplate: Error {
  /// Counted from 1.
  let line: Int
  let sentence: String
}

/// Reads a file of templates. Each begins with `== NAME` and `Subject: …`. Paragraphs follow, separated by empty lines:
/// text, `[label](address)` for a link, or an indented line for a code. Lines that begin with `#` are comments.
struct MailTemplateFile {
  private(set) var templates: [MailKind: MailTemplate] = [:]

  private var kind: MailKind?
  private var subject: [MailTemplate.Piece]?
  private var paragraphs: [MailTemplate.Paragraph] = []
  /// The lines of the current paragraph, and the number of the first.
  private var lines: [Substring] = []
  private var firstLine = 0
  /// Where the current template begins.
  private var headLine = 0
  private var hasLink = false

  init(_ text: String) throws(InvalidTemplate) {
    var number = 0
    for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
      number += 1
      if line.hasPrefix("#") { continue }
      if line.hasPrefix("==") {
        try endTemplate()
        try beginTemplate(line.dropFirst(2), at: number)
      } else if line.allSatisfy(\.isWhitespace) {
        try endParagraph()
      } else if kind == nil {
        throw InvalidTemplate(line: number, sentence: "A template begins with a line such as \"== passwordReset\".")
      } else if subject == nil {
        try setSubject(line, at: number)
      } else {
        if lines.isEmpty { firstLine = number }
        lines.append(line)
      }
    }
    try endTemplate()
  }

  private mutating func beginTemplate(_ head: Substring, at number: Int) throws(InvalidTemplate) {
    let name = Self.trimmed(head)
    guard let kind = MailKind(name: name) else {
      let similar = Suggestions.didYouMean(
        "",
        suggestions: Suggestions.list(for: name, among: MailKind.allCases.map(\.name))
      )
      throw InvalidTemplate(line: number, sentence: "\"\(name)\" is not the name of a mail.\(similar)")
    }
    guard templates[kind] == nil else {
      throw InvalidTemplate(line: number, sentence: "The file has a template of \(name) already.")
    }
    self.kind = kind
    headLine = number
    subject = nil
    paragraphs = []
    hasLink = false
  }

  private mutating func endTemplate() throws(InvalidTemplate) {
    try endParagraph()
    guard let kind else { return }
    guard let subject else { throw InvalidTemplate(line: headLine, sentence: "The template has no subject.") }
    guard !paragraphs.isEmpty else { throw InvalidTemplate(line: headLine, sentence: "The template has no text.") }
    guard hasLink || !kind.placeholders.contains(.link) else {
      let sentence = "The template has no link: it needs a paragraph such as [Continue]({link})."
      throw InvalidTemplate(line: headLine, sentence: sentence)
    }
    templates[kind] = MailTemplate(subject: subject, paragraphs: paragraphs)
    self.kind = nil
  }

  private mutating func setSubject(_ line: Substring, at number: Int) throws(InvalidTemplate) {
    guard line.hasPrefix("Subject:"), case let text = Self.trimmed(line.dropFirst(8)), !text.isEmpty else {
      throw InvalidTemplate(line: number, sentence: "A template begins with its subject, as \"Subject: Hello\".")
    }
    let pieces = try pieces(text[...], at: number)
    for piece in pieces {
      if case .placeholder(let placeholder, _) = piece, !placeholder.isName, placeholder != .app, placeholder != .day {
        throw InvalidTemplate(line: number, sentence: "A subject cannot contain {\(placeholder.rawValue)}.")
      }
    }
    subject = pieces
  }

  private mutating func endParagraph() throws(InvalidTemplate) {
    guard !lines.isEmpty else { return }
    defer { lines = [] }
    let isIndented = lines[0].hasPrefix("    ") || lines[0].hasPrefix("\t")
    if isIndented {
      guard lines.count == 1 else {
        throw InvalidTemplate(line: firstLine + 1, sentence: "A code is a line of its own, between empty lines.")
      }
      return paragraphs.append(.code(try pieces(Self.trimmed(lines[0])[...], at: firstLine)))
    }
    if lines.count == 1, let link = Self.trimmed(lines[0]).wholeMatch(of: /\[([^\[\]]+)\]\(([^\s()]+)\)/) {
      let url = try pieces(link.2, at: firstLine)
      guard case .some(let first) = url.first, Self.isAddress(first) else {
        let sentence = "The address of a link is {link}, or begins with https://, http:// or mailto:."
        throw InvalidTemplate(line: firstLine, sentence: sentence)
      }
      if case .placeholder(.link, _) = first { hasLink = true }
      return paragraphs.append(.link(try pieces(link.1, at: firstLine), url: url))
    }
    var text: [MailTemplate.Piece] = []
    for (index, line) in lines.enumerated() {
      if index > 0 { text.append(.text(" ")) }
      text += try pieces(Self.trimmed(line)[...], at: firstLine + index)
    }
    paragraphs.append(.text(text))
  }

  private static func isAddress(_ piece: MailTemplate.Piece) -> Bool {
    switch piece {
    case .placeholder(let placeholder, _): placeholder == .link || placeholder == .stop
    case .text(let text): ["https://", "http://", "mailto:"].contains { text.hasPrefix($0) }
    }
  }

  private func pieces(_ text: Substring, at line: Int) throws(InvalidTemplate) -> [MailTemplate.Piece] {
    var pieces: [MailTemplate.Piece] = []
    var rest = text
    while let open = rest.firstIndex(where: { $0 == "{" || $0 == "}" }) {
      if open > rest.startIndex { pieces.append(.text(String(rest[..<open]))) }
      guard rest[open] == "{", let close = rest[open...].firstIndex(of: "}") else {
        throw InvalidTemplate(line: line, sentence: "A placeholder is written as {name}: a brace is missing.")
      }
      pieces.append(try placeholder(rest[rest.index(after: open)..<close], at: line))
      rest = rest[rest.index(after: close)...]
    }
    if !rest.isEmpty { pieces.append(.text(String(rest))) }
    return pieces
  }

  private func placeholder(_ text: Substring, at line: Int) throws(InvalidTemplate) -> MailTemplate.Piece {
    let parts = text.split(separator: "|", maxSplits: 1, omittingEmptySubsequences: false)
    let (name, otherwise) = (String(parts[0]), parts.count > 1 ? String(parts[1]) : nil)
    let possible = [.app] + (kind?.placeholders ?? [])
    guard let placeholder = MailPlaceholder(rawValue: name), possible.contains(placeholder) else {
      let names = possible.map(\.rawValue)
      let similar = Suggestions.list(for: name, among: names).first.map { " Did you mean {\($0)}?" }
      let all = " It can contain \(names.map { "{\($0)}" }.joined(separator: ", "))."
      let mail = kind?.name ?? ""
      throw InvalidTemplate(line: line, sentence: "The mail \(mail) has no {\(name)}.\(similar ?? all)")
    }
    guard placeholder.isName == (otherwise != nil) else {
      let sentence =
        placeholder.isName
        ? "{\(name)} needs words for names that cannot be shown, such as {\(name)|Somebody}."
        : "{\(name)} is written without \"|\": if it has no value, its paragraph is left out."
      throw InvalidTemplate(line: line, sentence: sentence)
    }
    return .placeholder(placeholder, otherwise: otherwise)
  }

  private static func trimmed(_ text: Substring) -> String {
    var text = text.drop(while: \.isWhitespace)
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }
}
