import GraphQL
import Hearth

/// A GraphQL document. If it is printed and parsed again, it has the same nodes and the same validation errors. A valid
/// operation can be planned unless it exceeds a limit.
enum GraphQLTarget {
  static let executable = Result { try HearthSchema.executable() }

  /// Returns whether the document is valid.
  static func check(_ input: [UInt8]) throws -> Bool {
    let document: Document
    do {
      document = try Parser.parse(Source(input))
    } catch {
      try checkSyntaxError(error)
      return false
    }
    let printed = Printer.print(document)
    let again: Document
    do {
      again = try Parser.parse(Source(printed))
    } catch {
      // Indentation makes a document longer.
      guard error.code != .documentTooLarge else { return false }
      throw BrokenProperty(description: "The printed document is rejected: \(error.message)\n\(printed)")
    }
    try require(shape(again) == shape(document), "The printed document has other nodes:\n\(printed)")
    try require(Printer.print(again) == printed, "The second printed form differs from the first:\n\(printed)")
    return try checkValidation(document, again, input)
  }

  private static func checkSyntaxError(_ error: GraphQLError) throws {
    let codes: [ErrorCode] = [.parseFailed, .documentTooLarge, .tooManyTokens, .nestingTooDeep]
    try require(codes.contains(error.code), "A document that cannot be parsed has the code \(error.code.rawValue).")
    try require(
      error.locations.allSatisfy { $0.line >= 1 && $0.column >= 1 },
      "The location of the error is not in the text."
    )
  }

  private static func checkValidation(_ document: Document, _ printed: Document, _ input: [UInt8]) throws -> Bool {
    let executable = try executable.get()
    let options = ValidationOptions()
    let errors = Validator.validate(document, against: executable.schema, options: options)
    let again = Validator.validate(printed, against: executable.schema, options: options)
    try require(
      errors.map(\.message) == again.map(\.message),
      "The printed document has other faults: \(errors.map(\.message)) became \(again.map(\.message))."
    )
    try require(errors.count <= options.maximumErrors + 1, "There are \(errors.count) errors.")
    // Invalid documents must not crash the planner either: a server with trusted documents does not validate them.
    var preparation = Preparation(executable)
    if !errors.isEmpty { preparation.validation = nil }
    for name in operationNames(of: document) { try plan(name, preparation, input, isValid: errors.isEmpty) }
    return errors.isEmpty
  }

  private static func operationNames(of document: Document) -> [String?] {
    let operations = Array(document.children(of: 0, .operationDefinition).prefix(4))
    if operations.count == 1 { return [nil] }
    return operations.map { document.name($0) }
  }

  private static func plan(_ name: String?, _ preparation: Preparation, _ input: [UInt8], isValid: Bool) throws {
    let operation: PreparedOperation
    do {
      operation = try preparation.prepare(input, operationName: name)
    } catch {
      try require(!isValid, "A valid operation cannot be prepared: \(error.errors.map(\.message))")
      return
    }
    let schema = preparation.executable.schema
    guard let variables = try? VariableCoercion.coerce(.none, to: operation.variables, in: schema) else { return }
    do {
      _ = try operation.plan(for: variables)
    } catch {
      try require(!isValid || limits.contains(error.code), "A valid operation cannot be planned: \(error.message)")
    }
  }

  /// The errors that planning can find in a valid document.
  private static let limits: [ErrorCode] = [
    .operationTooDeep, .tooManyFields, .costExceeded, .introspectionTooLarge, .oneSlicingArgumentRequired,
    .badUserInput,
  ]

  /// The content of a document without its layout: kinds, flags, names and values.
  private static func shape(_ document: Document) -> [String] {
    document.nodes.indices.map { index in
      let node = document[index]
      let flags = node.flags.subtracting(.needsDecoding).rawValue
      let value =
        switch node.kind {
        case .stringValue: document.stringValue(of: index)
        case .intValue, .floatValue: document.text(index)
        default: ""
        }
      return "\(node.kind) \(flags) \(document.name(index)) \(value)"
    }
  }
}
