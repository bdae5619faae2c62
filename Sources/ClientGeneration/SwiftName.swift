/// Names of GraphQL as names of Swift.
enum SwiftName {
  /// `IN_PROGRESS` is `inProgress`, `ContactRequest` is `contactRequest`.
  static func camelCase(_ name: String) -> String {
    let isUppercase = !name.contains { $0.isLowercase }
    let words = name.split(separator: "_").map { isUppercase ? $0.lowercased() : String($0) }
    guard let first = words.first else { return name }
    return ([uncapitalised(first)] + words.dropFirst().map(capitalised)).joined()
  }

  static func capitalised(_ name: some StringProtocol) -> String {
    guard let first = name.first else { return "" }
    return first.uppercased() + name.dropFirst()
  }

  static func uncapitalised(_ name: some StringProtocol) -> String {
    guard let first = name.first else { return "" }
    return first.lowercased() + name.dropFirst()
  }

  /// The name of a type: what begins with `_` or a small letter is brought into form.
  static func type(_ name: String) -> String { capitalised(name.drop { $0 == "_" }) }

  /// A name as it is written where a property, a case or an argument is declared and used.
  static func escaped(_ name: String) -> String { keywords.contains(name) ? "`\(name)`" : name }

  /// A property that stands for a response key. Some names Swift has for itself, even between backticks.
  static func property(_ key: String) -> String { taken.contains(key) ? key + "_" : key }

  private static let taken: Set<String> = [
    "self", "Self", "Type", "Protocol", "init", "hashValue", "variables", "fields",
  ]

  private static let keywords: Set<String> = [
    "as", "associatedtype", "break", "case", "catch", "class", "continue", "default", "defer", "deinit", "do", "else",
    "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard", "if", "import", "in",
    "inout", "internal", "is", "let", "nil", "operator", "precedencegroup", "private", "protocol", "public", "repeat",
    "rethrows", "return", "static", "struct", "subscript", "super", "switch", "throw", "throws", "true", "try",
    "typealias", "var", "where", "while",
  ]
}
