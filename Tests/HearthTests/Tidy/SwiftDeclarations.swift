/// What a Swift file declares for other files, and which names it uses. Read from its tokens, without types: two
/// declarations of the same name are not distinguished.
struct SwiftDeclarations {
  struct Declaration {
    let name: String
    /// The type that it is a member of; nil at the top level.
    let owner: String?
    let line: Int
    let isType: Bool
    /// Private and fileprivate declarations cannot be used by other files.
    let isPrivate: Bool
    /// Whether it is used without being named: an operator, an override.
    let isUsedUnnamed: Bool
  }

  private(set) var declarations: [Declaration] = []
  /// The labels of parameters and tuples, which read like members where they are used.
  private(set) var labels: Set<String> = []
  /// The names of generic parameters.
  private(set) var genericParameters: Set<String> = []
  /// All names with a capital first letter.
  private(set) var typeUses: Set<String> = []
  /// The names after a dot.
  private(set) var memberUses: Set<String> = []
  /// How often each name occurs in the file, declarations included.
  private(set) var counts: [String: Int] = [:]

  private static let typeKeywords: Set<String> = ["struct", "enum", "class", "actor", "protocol"]
  private static let memberKeywords: Set<String> = ["func", "var", "let"]

  init(_ file: Checkout.File) {
    let tokens = SwiftTokens.tokens(of: file)
    // The enclosing braces: the name of the type that they are of, or nil for those of code.
    var scopes: [String?] = []
    var next: String?
    var parentheses = 0
    for (index, token) in tokens.enumerated() {
      let text = token.text
      let following = index + 1 < tokens.count ? tokens[index + 1].text : ""
      let preceding = index > 0 ? tokens[index - 1].text : ""
      switch text {
      case "{":
        scopes.append(parentheses == 0 ? next : nil)
        next = nil
      case "}": if !scopes.isEmpty { scopes.removeLast() }
      case "(", "[": parentheses += 1
      case ")", "]": parentheses -= 1
      default: break
      }
      guard Self.isWord(text) else { continue }
      counts[text, default: 0] += 1
      if preceding == "." { memberUses.insert(text) }
      if (text.utf8.first ?? 0) < UInt8(ascii: "a"), text != "_" { typeUses.insert(text) }
      if following == ":", preceding == "(" || preceding == "," || preceding == "_" { labels.insert(text) }
      if token.isEscaped { continue }
      let isInTypes = !scopes.contains(nil)
      let owner = scopes.last ?? nil
      let isMember = preceding == "." || parentheses > 0 || !isInTypes
      if Self.typeKeywords.contains(text), Self.isWord(following), !Self.memberKeywords.contains(following), !isMember {
        next = following
        declare(tokens, at: index, of: owner, isType: true)
      } else if text == "extension", !isMember {
        next = Self.lastName(in: tokens, from: index + 1)
      } else if text == "typealias", !isMember {
        declare(tokens, at: index, of: owner, isType: true)
      } else if Self.memberKeywords.contains(text), !isMember {
        next = nil
        declare(tokens, at: index, of: owner, isType: false)
      } else if text == "init" || text == "subscript" || text == "deinit", !isMember {
        next = nil
      } else if text == "case", !isMember, following != "." {
        declareCases(tokens, of: owner, from: index + 1)
      }
    }
  }

  /// The last name of `Outer.Inner`, which begins at an index.
  private static func lastName(in tokens: [SwiftTokens.Token], from start: Int) -> String? {
    var index = start
    while index + 2 < tokens.count, tokens[index + 1].text == "." { index += 2 }
    return index < tokens.count ? tokens[index].text : nil
  }

  private mutating func declare(_ tokens: [SwiftTokens.Token], at keyword: Int, of owner: String?, isType: Bool) {
    guard keyword + 1 < tokens.count else { return }
    let name = tokens[keyword + 1]
    collectGenericParameters(tokens, from: keyword + 2)
    // The modifiers are on the same line.
    let before = tokens[..<keyword].suffix(12).filter { $0.line == name.line }.map(\.text)
    let isPrivate = zip(before, before.dropFirst() + [""]).contains { word, next in
      word == "fileprivate" || word == "private" && next != "("
    }
    declarations.append(
      Declaration(
        name: name.text,
        owner: owner,
        line: name.line,
        isType: isType,
        isPrivate: isPrivate,
        isUsedUnnamed: !Self.isWord(name.text) || before.contains("override")
      )
    )
  }

  /// `<One, Two: Hashable>` behind a declaration's name.
  private mutating func collectGenericParameters(_ tokens: [SwiftTokens.Token], from start: Int) {
    guard start < tokens.count, tokens[start].text == "<" else { return }
    for index in start..<tokens.count where tokens[index].text == "<" || tokens[index].text == "," {
      guard index + 1 < tokens.count, Self.isWord(tokens[index + 1].text) else { return }
      genericParameters.insert(tokens[index + 1].text)
      let rest = tokens[(index + 1)...].prefix { $0.text != "," && $0.text != ">" }
      if rest.endIndex >= tokens.count || tokens[rest.endIndex].text == ">" { return }
    }
  }

  /// `case one, two(Int), three = 3`
  private mutating func declareCases(_ tokens: [SwiftTokens.Token], of owner: String?, from start: Int) {
    var index = start
    while index < tokens.count {
      declarations.append(
        Declaration(
          name: tokens[index].text,
          owner: owner,
          line: tokens[index].line,
          isType: false,
          isPrivate: false,
          isUsedUnnamed: false
        )
      )
      index += 1
      var depth = 0
      while index < tokens.count {
        let text = tokens[index].text
        if text == "(" || text == "[" { depth += 1 }
        if text == ")" || text == "]" { depth -= 1 }
        if depth == 0, text == "," { break }
        let isNext = ["case", "var", "func", "static", "init", "package", "private", "}", "let", "indirect", "@"]
        if depth == 0, isNext.contains(text), !tokens[index].isEscaped { return }
        index += 1
      }
      index += 1
    }
  }

  /// A name or a keyword, by its first byte: asking for a character's properties would take most of the time.
  private static func isWord(_ text: String) -> Bool {
    switch text.utf8.first ?? 0 {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"): true
    default: false
    }
  }
}
