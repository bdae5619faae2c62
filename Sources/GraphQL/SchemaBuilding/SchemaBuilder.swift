/// Builds a schema from a type system document (specification, section 3).
///
/// First the document is validated. Then the schema is built, with extensions merged into the types that they extend.
/// Then the types are validated. An invalid schema fails with all errors of a step, each naming the element that it
/// refers to.
package struct SchemaBuilder {
  private let document: Document
  private let builtIn: Document
  private let scalarCoercions: [String: ScalarCoercion]
  /// The names of the types in document order, and the definitions and extensions of each type.
  private var names: [String] = []
  private var parts: [String: [(source: Document, node: NodeIndex)]] = [:]

  package static func build(
    _ sdl: String,
    scalars: [String: ScalarCoercion] = [:]
  ) throws(SchemaError) -> Schema {
    let document: Document
    do {
      document = try Parser.parse(Source(sdl, name: "schema.graphql"), options: .trusted)
    } catch {
      throw SchemaError([error])
    }
    return try build(document, scalars: scalars)
  }

  package static func build(
    _ document: Document,
    scalars: [String: ScalarCoercion] = [:]
  ) throws(SchemaError) -> Schema {
    let builtIn: Document
    let errors: [GraphQLError]
    do {
      builtIn = try BuiltInDefinitions.document()
      errors = try SDLValidator.validate(document)
    } catch {
      throw SchemaError([error])
    }
    guard errors.isEmpty else { throw SchemaError(errors) }
    var builder = SchemaBuilder(document: document, builtIn: builtIn, scalarCoercions: scalars)
    return try builder.schema()
  }

  private init(document: Document, builtIn: Document, scalarCoercions: [String: ScalarCoercion]) {
    self.document = document
    self.builtIn = builtIn
    self.scalarCoercions = scalarCoercions
  }

  private mutating func schema() throws(SchemaError) -> Schema {
    collectTypes()
    var reader = DefinitionReader(typeNames: NameTable(names))
    var types = names.map { reader.type(parts[$0] ?? []) }
    linkImplementations(&types)
    let directives = directives(&reader)
    guard reader.errors.isEmpty else { throw SchemaError(reader.errors) }
    let scalars = types.map { type in
      type.kind == .scalar ? scalarCoercions[type.name] ?? ScalarCoercion.builtIn[type.name] ?? .any : nil
    }
    let roots = RootOperationTypes(document, typeNames: reader.typeNames)
    // A schema without a query root operation type exists only until type validation rejects it.
    let schema = Schema(
      description: roots.description,
      types: types,
      directives: directives,
      queryType: roots.query ?? TypeID(0),
      mutationType: roots.mutation,
      subscriptionType: roots.subscription,
      scalars: scalars,
      appliedDirectives: roots.directives
    )
    var validation = TypeValidation(schema, roots: roots)
    validation.checkTypes()
    let completed = DefaultValueCoercion.complete(schema, in: &validation)
    validation.checkAppliedDirectives(of: completed)
    let errors = validation.errors(in: document)
    guard errors.isEmpty else { throw SchemaError(errors) }
    return completed
  }

  // MARK: Collecting

  private mutating func collectTypes() {
    var referenced: Set<String> = ["String", "Boolean"]
    for node in document.nodes.indices where document[node].kind == .namedType {
      referenced.insert(document.name(node))
    }
    collect(document) { !BuiltInDefinitions.types.contains($0) }
    // A built-in scalar that is not referenced is not a part of the schema (section 3.5). Introspection itself
    // references two.
    collect(builtIn) { !BuiltInDefinitions.scalars.contains($0) || referenced.contains($0) }
    for node in document.children(of: 0) where document[node].kind.isTypeExtension {
      parts[document.name(node)]?.append((document, node))
    }
  }

  private mutating func collect(_ source: Document, _ isIncluded: (String) -> Bool) {
    for node in source.children(of: 0) where source[node].kind.isTypeDefinition {
      let name = source.name(node)
      guard isIncluded(name) else { continue }
      names.append(name)
      parts[name] = [(source, node)]
    }
  }

  private func directives(_ reader: inout DefinitionReader) -> [DirectiveDefinition] {
    var directives: [DirectiveDefinition] = []
    var names: Set<String> = []
    // A schema may redefine a built-in directive.
    for source in [document, builtIn] {
      for node in source.children(of: 0, .directiveDefinition) where names.insert(source.name(node)).inserted {
        directives.append(reader.directive(node, in: source))
      }
    }
    return directives
  }

  private func linkImplementations(_ types: inout [TypeDefinition]) {
    for (index, type) in types.enumerated() {
      guard type.kind == .object else { continue }
      types[index].possibleTypes = [TypeID(index)]
      for interface in type.interfaces where types[interface.index].kind == .interface {
        types[interface.index].possibleTypes.append(TypeID(index))
      }
    }
  }
}

extension NodeKind {
  var isTypeDefinition: Bool { extensionKind != self && self != .schemaDefinition }
  var isTypeExtension: Bool {
    switch self {
    case .scalarTypeExtension, .objectTypeExtension, .interfaceTypeExtension, .unionTypeExtension,
      .enumTypeExtension, .inputObjectTypeExtension:
      true
    default: false
    }
  }
}
