import GraphQL

/// How a mutation takes its values, where a deprecated form of its arguments stays supported beside the current one.
/// The resolver reads one of the two. The other is converted to it, and the paths of user errors back.
enum ArgumentForm: Sendable {
  /// Without a deprecated form.
  case declared
  /// The current form is the argument `input`. The resolver reads the deprecated one: an argument for each field of
  /// `input`, of which `required` must be given. `renamed` has the names of arguments by those of fields, where they
  /// differ.
  case input(required: [String], renamed: [String: String] = [:])
  /// The current form is one argument. The resolver reads the deprecated one: an `input` with this one field.
  case single(String)

  private static let inputName = "input"

  /// The arguments as the resolver reads them, and whether they were given in the current form.
  func read(_ arguments: Arguments) throws(FieldError) -> (arguments: Arguments, isCurrent: Bool) {
    switch self {
    case .declared: return (arguments, false)
    case .input(let required, let renamed):
      guard case .object(let fields)? = arguments[Self.inputName] else {
        for name in required { try Self.require(arguments, name: name, insteadOf: Self.inputName) }
        return (arguments, false)
      }
      try Self.requireNoOther(arguments, than: Self.inputName)
      return (Arguments(fields.map { InputField(name: renamed[$0.name] ?? $0.name, value: $0.value) }), true)
    case .single(let name):
      guard let value = arguments[name], !value.isNull else {
        try Self.require(arguments, name: Self.inputName, insteadOf: name)
        return (arguments, false)
      }
      try Self.requireNoOther(arguments, than: name)
      let input = InputValue.object([InputField(name: name, value: value)])
      return (Arguments([InputField(name: Self.inputName, value: input)]), true)
    }
  }

  private static func require(
    _ arguments: Arguments,
    name: String,
    insteadOf current: String
  ) throws(FieldError) {
    guard arguments[name]?.isNull ?? true else { return }
    throw FieldError("The argument `\(current)` is required.", code: .badUserInput)
  }

  private static func requireNoOther(_ arguments: Arguments, than name: String) throws(FieldError) {
    guard let other = arguments.fields.first(where: { $0.name != name && !$0.value.isNull }) else { return }
    throw FieldError("`\(name)` cannot be combined with the deprecated argument `\(other.name)`.", code: .badUserInput)
  }

  /// An error of the resolver, with the path in the current form.
  func current(_ error: UserError) -> UserError {
    switch self {
    case .declared: return error
    case .input(_, let renamed):
      let names = Dictionary(uniqueKeysWithValues: renamed.map { ($0.value, $0.key) })
      let path = error.field.prefix(1).map { names[$0] ?? $0 } + error.field.dropFirst()
      return error.at([Self.inputName] + path)
    case .single(let name):
      let path = error.field.first == Self.inputName ? Array(error.field.dropFirst()) : error.field
      return error.at(path.isEmpty ? [name] : path)
    }
  }
}
