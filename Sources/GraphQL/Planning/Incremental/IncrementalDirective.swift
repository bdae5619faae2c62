/// `@defer` or `@stream` as written on a selection. A schema supports them by defining them.
struct IncrementalDirective {
  enum Name: String, CaseIterable {
    case `defer`, stream
  }

  let label: String?
  /// `@stream(initialCount:)`, which is 0 by default. It can be negative, which is an error.
  let initialCount: Int

  /// Nil if the selection does not have the directive, or if the argument `if` is false.
  /// - Throws: If the variable of an argument of non-null type is null.
  init?(
    _ name: Name,
    on selection: NodeIndex,
    of document: Document,
    conditions: [String: Bool],
    variables: VariableValues
  ) throws(GraphQLError) {
    guard
      let directive = document.children(of: selection, .directive).first(where: { document.name($0) == name.rawValue })
    else { return nil }
    var isActive = true
    var label: String?
    var initialCount = 0
    for argument in document.children(of: directive, .argument) {
      guard let value = document.value(of: argument) else { continue }
      let kind = document[value].kind
      switch document.name(argument) {
      case "if":
        if kind == .variable {
          guard let isTrue = conditions[document.name(value)] else {
            throw .nullArgument("if", type: "Boolean!", at: document.location(value))
          }
          isActive = isTrue
        } else {
          isActive = document[value].flags.contains(.isTrue)
        }
      case "label": if kind == .stringValue { label = document.stringValue(of: value) }
      case "initialCount":
        if kind == .variable {
          switch variables[document.name(value)] {
          case .int(let count): initialCount = Int(count)
          case .null: throw .nullArgument("initialCount", type: "Int!", at: document.location(value))
          default: break
          }
        } else {
          initialCount = Int(document.text(value)) ?? 0
        }
      default: break
      }
    }
    if !isActive { return nil }
    self.label = label
    self.initialCount = initialCount
  }

  /// Whether a document can be delivered incrementally: it uses the directives, and the schema defines them.
  static func isUsed(in document: Document, of schema: Schema) -> Bool {
    guard Name.allCases.contains(where: { schema.directiveNames.index(of: $0.rawValue) != nil }) else { return false }
    return document.nodes.indices.contains { node in
      document.nodes[node].kind == .directive && Name(rawValue: document.name(node)) != nil
    }
  }

  /// Whether an argument `initialCount` in the document is a variable.
  static func countsDependOnVariables(in document: Document) -> Bool {
    document.nodes.indices.contains { node in
      guard document.nodes[node].kind == .directive, document.name(node) == Name.stream.rawValue else { return false }
      return document.children(of: node, .argument).contains { argument in
        document.name(argument) == "initialCount"
          && document.value(of: argument).map { document[$0].kind == .variable } ?? false
      }
    }
  }
}

extension GraphQLError {
  /// A nullable variable with a default value, or for an argument with one, is allowed where null is not
  /// (specification, section 5.8.5), and null can still be provided for it.
  static func nullArgument(_ name: String, type: String, at location: SourceLocation) -> GraphQLError {
    GraphQLError(
      "Argument \"\(name)\" of non-null type \"\(type)\" must not be null.",
      at: [location],
      code: .badUserInput
    )
  }
}
