/// Converts GraphQL names to Swift names.
enum SwiftName {
  /// `IN_PROGRESS` is `inProgress`, `ContactRequest` is `contactRequest`, `_2D` is `_2d`.
  static func camelCase(_ name: String) -> String {
    let isUppercase = !name.contains { $0.isLowercase }
    let words = name.split(separator: "_").map { isUppercase ? $0.lowercased() : String($0) }
    guard let first = words.first else { return name }
    return markingDigit(([uncapitalised(first)] + words.dropFirst().map(capitalised)).joined())
  }

  static func capitalised(_ name: some StringProtocol) -> String {
    guard let first = name.first else { return "" }
    return first.uppercased() + name.dropFirst()
  }

  static func uncapitalised(_ name: some StringProtocol) -> String {
    guard let first = name.first else { return "" }
    return first.lowercased() + name.dropFirst()
  }

  /// The name of a type, with an initial capital and without leading underscores, except before a digit.
  static func type(_ name: String) -> String { markingDigit(capitalised(name.drop { $0 == "_" })) }

  /// An underscore before a name that begins with a digit, as no name does in Swift or TypeScript.
  private static func markingDigit(_ name: String) -> String { name.first?.isNumber == true ? "_" + name : name }

  /// The name of one of several: `assignees` is `assignee`. A name that is not a plural is unchanged.
  static func singular(_ name: String) -> String {
    if name.lowercased().hasSuffix("children") { return String(name.dropLast(3)) }
    for (plural, singular) in irregularPlurals {
      for (plural, singular) in [(plural, singular), (capitalised(plural), capitalised(singular))]
      where name.hasSuffix(plural) && (name == plural || plural.first?.isUppercase == true) {
        return name.dropLast(plural.count) + singular
      }
    }
    if name.hasSuffix("ies"), name.count > 4 { return name.dropLast(3) + "y" }
    if ["sses", "shes", "ches", "xes", "zzes", "tuses"].contains(where: name.hasSuffix) {
      return String(name.dropLast(2))
    }
    if ["ss", "us", "is"].contains(where: name.hasSuffix) || !name.hasSuffix("s") || name.count < 3 { return name }
    return String(name.dropLast())
  }

  private static let irregularPlurals = [
    ("people", "person"), ("men", "man"), ("women", "woman"), ("news", "news"),
    ("series", "series"), ("species", "species"), ("movies", "movie"), ("media", "media"), ("data", "data"),
  ]

  /// A name as written in code, in backticks if it is a keyword.
  static func escaped(_ name: String) -> String { keywords.contains(name) ? "`\(name)`" : name }

  /// The name of the property for a response key. Swift reserves some names even in backticks.
  static func property(_ key: String) -> String {
    if key.allSatisfy({ $0 == "_" }) { return "field" + key }
    return taken.contains(key) ? key + "_" : key
  }

  /// The name of the case for an enum value, distinct from the members of every generated enum.
  static func enumCase(_ value: String) -> String {
    let name = camelCase(value)
    return ["unknown", "allCases", "rawValue"].contains(name) ? name + "_" : property(name)
  }

  /// Names that generated types refer to or that Swift reserves: a nested type with such a name would shadow them.
  static let takenTypes: Set<String> = [
    "Any", "Array", "CodingKey", "CodingKeys", "Data", "Decodable", "Decoder", "Error", "GraphQLTypeName", "Hashable",
    "Identifiable", "JSONDecoder", "Optional", "Protocol", "Self", "Sendable", "Type", "UserInfo",
  ]

  /// Names that generated types refer to or that Swift reserves, and that therefore no generated type of a file can
  /// have.
  static let reservedTypes: Set<String> = [
    "Any", "CodingKey", "CodingKeys", "Data", "Decodable", "Decoder", "GraphQLEnum", "GraphQLID", "GraphQLInput",
    "GraphQLInputField", "GraphQLInputObject", "GraphQLMutation", "GraphQLNullable", "GraphQLQuery",
    "GraphQLSubscription", "GraphQLTypeName", "Hashable", "Identifiable", "Self", "Sendable",
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
    // Contextual keywords: they are keywords only if certain tokens follow, which the next line may contain.
    "any", "await", "borrow", "consume", "copy", "discard", "each", "some", "unsafe", "yield",
  ]
}
