/// A GraphQL document whose comment contains its variables, such as `# Variables: {"id": "…"}`.
struct ExampleDocument: Sendable {
  let text: String
  /// The first that are named; an empty object where none are.
  let variables: Value

  init(_ text: String) {
    self.text = text
    let comment = text.split(separator: "\n").prefix { $0.hasPrefix("#") }.map { $0.dropFirst() }.joined(
      separator: "\n"
    )
    variables = Self.variables(in: comment) ?? [:]
  }

  /// The object that begins behind the word, which ends where it is one.
  private static func variables(in comment: String) -> Value? {
    guard let word = comment.firstRange(of: "Variables:") else { return nil }
    let rest = Array(comment[word.upperBound...].utf8)
    guard let start = rest.firstIndex(of: UInt8(ascii: "{")) else { return nil }
    for end in rest.indices.dropFirst(start) where rest[end] == UInt8(ascii: "}") {
      if let value = try? Value(Array(rest[start...end])) { return value }
    }
    return nil
  }
}

extension Value {
  /// With another value at a path such as `input.childId`.
  func setting(at path: some StringProtocol, _ value: Value) -> Value {
    let steps = path.split(separator: ".", maxSplits: 1)
    guard let first = steps.first else { return value }
    let rest = steps.dropFirst().first ?? ""
    if let index = Int(first), case .array(var items) = self, items.indices.contains(index) {
      items[index] = items[index].setting(at: rest, value)
      return .array(items)
    }
    return setting(String(first), self[String(first)].setting(at: rest, value))
  }

  /// Whether a text in it waits to be filled in.
  var hasBlanks: Bool {
    switch self {
    case .string(let text): text == "…"
    case .array(let items): items.contains(where: \.hasBlanks)
    case .object(let members): members.values.contains(where: \.hasBlanks)
    default: false
    }
  }
}
