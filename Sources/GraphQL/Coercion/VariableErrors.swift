import JSON

/// The errors of the variables of a request, up to a limit: a long list of invalid values must not produce a response
/// of the same length.
struct VariableErrors {
  /// A step of the path from a variable to a part of its value.
  enum Step {
    case field(String)
    case item(Int)
  }

  private let suggests: Bool
  private let limit: Int
  private var errors: [GraphQLError] = []
  /// The error for a repeated key in the JSON. It is then the only error reported.
  private var jsonError: GraphQLError?
  /// Whether coercion has stopped, because there are too many errors or the JSON has a repeated key.
  private(set) var isStopped = false
  /// The value shown in the last error. If an object has several invalid fields, the error of each shows the same
  /// object.
  private var lastShown: (offset: Int, text: String)?

  /// - Parameter suggests: Whether errors may contain suggestions ("Did you mean …?").
  init(suggests: Bool, limit: Int) {
    self.suggests = suggests
    self.limit = limit
  }

  /// Throws the errors, if there are any.
  func check() throws(GraphQLErrors) {
    if let jsonError { throw GraphQLErrors([jsonError]) }
    var errors = errors
    if isStopped {
      errors.append(
        GraphQLError(
          "Too many errors processing variables, error limit reached. Execution aborted.",
          code: .errorsOmitted
        )
      )
    }
    guard errors.isEmpty else { throw GraphQLErrors(errors) }
  }

  func didYouMean(_ name: String, purpose: String = "", among names: @autoclosure () -> [String]) -> String {
    guard suggests && errors.count < limit else { return "" }
    return Suggestions.didYouMean(purpose, suggestions: Suggestions.list(for: name, among: names()))
  }

  mutating func shown(_ value: JSONValue, in given: GivenVariables) -> String {
    if let lastShown, lastShown.offset == value.offset { return lastShown.text }
    let text = value.shown(in: given)
    lastShown = (value.offset, text)
    return text
  }

  /// - Parameter path: from the variable to the value.
  mutating func report(
    _ value: JSONValue,
    in given: GivenVariables,
    of definition: VariableDefinition,
    at path: [Step],
    reason: String
  ) {
    guard errors.count < limit else {
      isStopped = true
      return
    }
    var message = "Variable \"$\(definition.name)\" got invalid value \(shown(value, in: given))"
    if !path.isEmpty {
      message += " at \"\(definition.name)"
      for step in path {
        switch step {
        case .field(let name): message += ".\(name)"
        case .item(let index): message += "[\(index)]"
        }
      }
      message += "\""
    }
    report(message + "; " + reason, definition: definition, at: path)
  }

  mutating func report(_ message: String, definition: VariableDefinition, at path: [Step] = []) {
    guard errors.count < limit else {
      isStopped = true
      return
    }
    var error = GraphQLError(message, at: [definition.location], code: .badUserInput)
    error.inputPath =
      [.key(definition.name)]
      + path.map { step in
        switch step {
        case .field(let name): .key(name)
        case .item(let index): .index(index)
        }
      }
    errors.append(error)
  }

  mutating func stop(with error: GraphQLError) {
    jsonError = error
    isStopped = true
  }
}

extension GraphQLError {
  /// The error for a repeated key. It is not specified which of the two values counts.
  static func givenTwice(_ name: String) -> GraphQLError {
    let shown = String(name.unicodeScalars.prefix(200))
    return GraphQLError("In the variables, `\(shown)` is given twice.", code: .badRequest)
  }

  static func tooManyValues(_ count: Int, limits: VariableLimits) -> GraphQLError {
    GraphQLError(
      "The variables have \(count) values and keys. The limit is \(limits.values).",
      code: .tooManyVariableValues
    )
  }
}

extension ErrorCode {
  /// The request is malformed, independently of its document.
  package static let badRequest = ErrorCode(rawValue: "BAD_REQUEST")
  package static let tooManyVariableValues = ErrorCode(rawValue: "TOO_MANY_VARIABLE_VALUES")
}
