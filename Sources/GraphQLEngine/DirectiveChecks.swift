import GraphQL

/// The checks of a schema's fields by the directives that are applied to them, and what is wrong with the directives.
struct DirectiveChecks<Context: Sendable> {
  private(set) var faults: [String] = []
  /// By the coordinates of object types and of their fields.
  private var checks: [String: [FieldCheck<Context>]] = [:]
  private let handlers: [String: [DirectiveHandler<Context>]]
  private let ignored: Set<String>
  private let references: InputReferences
  private let schema: Schema
  /// Directives without a handler are a fault each, wherever they are applied.
  private var unhandled: Set<String> = []

  /// The directives that the engine itself applies.
  private static var known: Set<String> { BuiltInDefinitions.directives.union(["cost", "listSize"]) }

  init(of registered: GraphQLSchema<Context>, in schema: Schema) {
    handlers = registered.directives
    ignored = registered.ignoredDirectives
    references = InputReferences(scalars: registered.scalars.byType, files: [])
    self.schema = schema
    checkRegistrations()
    addApplied()
  }

  /// The check of a field; nil if no directive is applied to it or to its type.
  func check(of field: String, in type: String) -> FieldCheck<Context>? {
    let all = checks[type, default: []] + checks["\(type).\(field)", default: []]
    if all.count < 2 { return all.first }
    return { request in for check in all { try check(request) } }
  }

  private mutating func checkRegistrations() {
    for (name, all) in handlers.sorted(by: { $0.key < $1.key }) {
      if Self.known.contains(name) {
        faults.append("@\(name) is a directive of the engine, which has no handler.")
      } else if schema.directiveNames.index(of: name) == nil {
        faults.append("@\(name) has a handler, but the schema has no directive of that name.")
      } else if let index = schema.directiveNames.index(of: name),
        !schema.directives[index].locations.contains(where: { $0 == .object || $0 == .fieldDefinition })
      {
        faults.append("@\(name) has a handler, but can be applied neither to object types nor to their fields.")
      }
      if all.count > 1 { faults.append("@\(name) has several handlers.") }
      if ignored.contains(name) { faults.append("@\(name) has a handler, and is ignored.") }
    }
  }

  private mutating func addApplied() {
    add(schema.appliedDirectives, at: "schema", isChecked: false)
    for directive in schema.directives {
      for argument in directive.arguments {
        add(argument.directives, at: "@\(directive.name)(\(argument.name):)", isChecked: false)
      }
    }
    for type in schema.types {
      let isObject = type.kind == .object
      add(type.directives, at: type.name, isChecked: isObject)
      for field in type.fields {
        add(field.directives, at: "\(type.name).\(field.name)", isChecked: isObject)
        for argument in field.arguments {
          add(argument.directives, at: "\(type.name).\(field.name)(\(argument.name):)", isChecked: false)
        }
      }
      for field in type.inputFields { add(field.directives, at: "\(type.name).\(field.name)", isChecked: false) }
      for value in type.enumValues { add(value.directives, at: "\(type.name).\(value.name)", isChecked: false) }
    }
  }

  /// - Parameter isChecked: Whether requests are checked there, which is so for object types and their fields.
  private mutating func add(_ applied: [AppliedDirective], at coordinate: String, isChecked: Bool) {
    for directive in applied where !Self.known.contains(directive.name) && !ignored.contains(directive.name) {
      guard let handler = handlers[directive.name]?.first else {
        guard unhandled.insert(directive.name).inserted else { continue }
        faults.append(
          "@\(directive.name) is applied to \(coordinate), but has no handler: add one with `directive`, or call "
            + "`ignoreDirective`."
        )
        continue
      }
      guard isChecked else {
        faults.append(
          "@\(directive.name) is applied to \(coordinate), where its handler is not called: apply it to object types "
            + "and their fields."
        )
        continue
      }
      do {
        checks[coordinate, default: []].append(try handler(arguments(of: directive), references))
      } catch {
        let reason = (error as? DecodingError)?.message ?? "\(error)"
        faults.append("The arguments of @\(directive.name) at \(coordinate) cannot be decoded. \(reason)")
      }
    }
  }

  /// The arguments, with the default values of those that are absent. The schema's validation has checked the literals.
  private func arguments(of directive: AppliedDirective) -> InputValue {
    guard let index = schema.directiveNames.index(of: directive.name) else { return .object([]) }
    return .object(
      schema.directives[index].arguments.compactMap { argument in
        let literal = directive.arguments.first { $0.name == argument.name }?.literal
        let value = literal.flatMap { coerced($0, to: argument.type) } ?? argument.defaultValue
        return value.map { InputField(name: argument.name, value: $0) }
      }
    )
  }

  private func coerced(_ literal: String, to type: TypeReference) -> InputValue? {
    guard let document = try? Parser.parseValue(Source(literal)) else { return nil }
    return try? LiteralCoercion(schema: schema, document: document, variables: nil).coerce(1, to: type)
  }
}
