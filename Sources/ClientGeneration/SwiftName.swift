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
  static func property(_ key: String) -> String {
    if key.allSatisfy({ $0 == "_" }) { return "field" + key }
    return taken.contains(key) ? key + "_" : key
  }

  /// A case that stands for a value of an enum, beside what every generated enum has.
  static func enumCase(_ value: String) -> String {
    let name = camelCase(value)
    return ["unknown", "allCases", "rawValue"].contains(name) ? name + "_" : property(name)
  }

  /// What generated types refer to or Swift has for itself: a type within another that had such a name would hide it.
  static let takenTypes: Set<String> = [
    "Any", "Array", "CodingKey", "CodingKeys", "Data", "Decodable", "Decoder", "GraphQLTypeName", "Hashable",
    "JSONDecoder", "Optional", "Protocol", "Self", "Sendable", "Type", "UserInfo",
  ]

  private static let taken: Set<String> = [
    "self", "Self", "Type", "Protocol", "init", "hashValue", "variables", "fields",
  ]

  private static let keywords: Set<String> = [
    "as", "associatedtype", "break", "case", "catch", "class", "continue", "default", "defer", "deinit", "do", "else",
    "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard", "if", "import", "in",
    "inout", "internal", "is", "let", "nil", "operator", "precedencegroup", "private", "protocol", "public", "repeat",
    "rethrows", "return", "static", "struct", "subscript", "super", "switch", "throw", "throws", "true", "try",
    "typealias", "var", "where", "while",
    // These are words of Swift only where something follows them, as the next line may.
    "any", "await", "borrow", "consume", "copy", "discard", "each", "some", "unsafe", "yield",
  ]
}
