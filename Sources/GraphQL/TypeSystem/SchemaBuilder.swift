/// Builds a schema from type system documents (specification, section 3).
///
/// Extensions are merged into what they extend. What contradicts itself is refused with every fault found, each naming
/// the coordinate that it is about.
package struct SchemaBuilder {
  private let document: Document
  private let builtIn: Document
  private let scalarCoercions: [String: ScalarCoercion]
  private var errors: [GraphQLError] = []
  /// The definitions and extensions of each type, in the order met.
  private var order: [String] = []
  private var parts: [String: [(document: Document, node: NodeIndex)]] = [:]
  private var typeNames = NameTable([])

  package static func build(
    _ sdl: String, scalars: [String: ScalarCoercion] = [:], name: String = "schema.graphql"
  ) throws(SchemaError) -> Schema {
    do {
      let document = try Parser.parse(Source(sdl, name: name), options: .trusted)
      return try build(document, scalars: scalars)
    } catch let error as GraphQLError {
      throw SchemaError([error])
    } catch let error as SchemaError {
      throw error
    } catch {
      throw SchemaError([GraphQLError("\(error)", code: .parseFailed)])
    }
  }

  package static func build(
    _ document: Document, scalars: [String: ScalarCoercion] = [:]
  ) throws(SchemaError) -> Schema {
    let builtIn: Document
    do {
      builtIn = try Parser.parse(Source(BuiltInDefinitions.sdl, name: "built-in"), options: .trusted)
    } catch {
      throw SchemaError([error])
    }
    var builder = SchemaBuilder(document: document, builtIn: builtIn, scalarCoercions: scalars)
    let schema = builder.schema()
    guard builder.errors.isEmpty, let schema else { throw SchemaError(builder.errors) }
    return schema
  }

  private init(document: Document, builtIn: Document, scalarCoercions: [String: ScalarCoercion]) {
    self.document = document
    self.builtIn = builtIn
    self.scalarCoercions = scalarCoercions
  }

  private mutating func schema() -> Schema? {
    collect(document)
    collect(builtIn)
    typeNames = NameTable(order)
    var types = order.map { type(named: $0) }
    linkImplementations(&types)
    var directives: [DirectiveDefinition] = []
    for source in [document, builtIn] {
      for node in source.children(of: 0, .directiveDefinition) {
        let directive = directiveDefinition(node, in: source)
        if !directives.contains(where: { $0.name == directive.name }) { directives.append(directive) }
      }
    }
    var scalars: [TypeID: ScalarCoercion] = [:]
    for (index, type) in types.enumerated() where type.kind == .scalar {
      scalars[TypeID(index)] = scalarCoercions[type.name] ?? ScalarCoercion.builtIn[type.name] ?? .any
    }
    let roots = rootTypes()
    guard let query = roots.query else {
      errors.append(GraphQLError("Query root type must be provided.", code: .schemaInvalid))
      return nil
    }
    guard errors.isEmpty else { return nil }
    let undefaulted = Schema(
      description: roots.description, types: types, directives: directives, queryType: query,
      mutationType: roots.mutation, subscriptionType: roots.subscription, scalars: scalars,
      appliedDirectives: roots.directives)
    // Default values can only be coerced once every type is there.
    var defaults = DefaultValueCoercion(schema: undefaulted)
    let withDefaults = types.map { defaults.coerced($0) }
    let directivesWithDefaults = directives.map { defaults.coerced($0) }
    errors += defaults.errors
    return Schema(
      description: roots.description, types: withDefaults, directives: directivesWithDefaults, queryType: query,
      mutationType: roots.mutation, subscriptionType: roots.subscription, scalars: scalars,
      appliedDirectives: roots.directives)
  }

  // MARK: Collecting

  private mutating func collect(_ source: Document) {
    for node in source.children(of: 0) where source[node].kind.isTypeDefinition {
      let name = source.name(node)
      if parts[name] == nil {
        parts[name] = []
        order.append(name)
      } else {
        report("There can be only one type named \"\(name)\".", node, in: source)
        continue
      }
      parts[name]?.append((source, node))
    }
    for node in source.children(of: 0) where source[node].kind.isTypeExtension {
      let name = source.name(node)
      guard let defined = parts[name]?.first else {
        report("Cannot extend type \"\(name)\" because it is not defined.", node, in: source)
        continue
      }
      guard defined.document[defined.node].kind.extensionKind == source[node].kind else {
        report("Cannot extend type \"\(name)\" as another kind of type than it is.", node, in: source)
        continue
      }
      parts[name]?.append((source, node))
    }
  }

  // MARK: Types

  private mutating func type(named name: String) -> TypeDefinition {
    let parts = parts[name] ?? []
    guard let first = parts.first else { return TypeDefinition(name: name, kind: .scalar) }
    var type = TypeDefinition(name: name, kind: TypeKind(first.document[first.node].kind))
    type.description = description(of: first.node, in: first.document)
    for (source, node) in parts { add(node, of: source, to: &type) }
    type.fieldNames = NameTable(type.fields.map(\.name))
    type.enumValueNames = NameTable(type.enumValues.map(\.name))
    type.inputFieldNames = NameTable(type.inputFields.map(\.name))
    type.isOneOf = type.directives.contains { $0.name == "oneOf" }
    type.specifiedByURL = type.directives.first { $0.name == "specifiedBy" }?.string("url")
    return type
  }

  private mutating func add(_ node: NodeIndex, of source: Document, to type: inout TypeDefinition) {
    for child in source.children(of: node) {
      switch source[child].kind {
      case .namedType:
        guard let id = typeID(child, in: source, for: type.name) else { continue }
        if type.kind == .union { type.possibleTypes.append(id) } else { type.interfaces.append(id) }
      case .directive: type.directives.append(appliedDirective(child, in: source))
      case .fieldDefinition:
        if let field = fieldDefinition(child, in: source, of: type.name) { type.fields.append(field) }
      case .enumValueDefinition:
        let directives = appliedDirectives(child, in: source)
        type.enumValues.append(
          EnumValueDefinition(
            name: source.name(child), description: description(of: child, in: source),
            deprecationReason: deprecationReason(directives), directives: directives))
      case .inputValueDefinition:
        if let value = inputValueDefinition(child, in: source, of: type.name) { type.inputFields.append(value) }
      default: continue
      }
    }
  }

  private mutating func fieldDefinition(
    _ node: NodeIndex, in source: Document, of type: String
  ) -> FieldDefinition? {
    let name = source.name(node)
    var arguments: [InputValueDefinition] = []
    for child in source.children(of: node, .inputValueDefinition) {
      if let argument = inputValueDefinition(child, in: source, of: "\(type).\(name)") { arguments.append(argument) }
    }
    guard let type = typeReference(node, in: source, for: "\(type).\(name)") else { return nil }
    let directives = appliedDirectives(node, in: source)
    return FieldDefinition(
      name: name, description: description(of: node, in: source), arguments: arguments,
      argumentNames: NameTable(arguments.map(\.name)), type: type,
      deprecationReason: deprecationReason(directives), directives: directives)
  }

  private mutating func inputValueDefinition(
    _ node: NodeIndex, in source: Document, of owner: String
  ) -> InputValueDefinition? {
    let name = source.name(node)
    guard let type = typeReference(node, in: source, for: "\(owner).\(name)") else { return nil }
    let directives = appliedDirectives(node, in: source)
    return InputValueDefinition(
      name: name, description: description(of: node, in: source), type: type,
      defaultLiteral: source.value(of: node).map { Printer.print($0, of: source) },
      deprecationReason: deprecationReason(directives), directives: directives)
  }

  private mutating func directiveDefinition(_ node: NodeIndex, in source: Document) -> DirectiveDefinition {
    let name = source.name(node)
    var arguments: [InputValueDefinition] = []
    for child in source.children(of: node, .inputValueDefinition) {
      if let argument = inputValueDefinition(child, in: source, of: "@\(name)") { arguments.append(argument) }
    }
    return DirectiveDefinition(
      name: name, description: description(of: node, in: source), arguments: arguments,
      argumentNames: NameTable(arguments.map(\.name)), isRepeatable: source[node].flags.contains(.repeatable),
      locations: source.children(of: node, .directiveLocation).compactMap {
        DirectiveLocation(rawValue: source.name($0))
      })
  }

  private func linkImplementations(_ types: inout [TypeDefinition]) {
    for (index, type) in types.enumerated() {
      if type.kind == .object { types[index].possibleTypes = [TypeID(index)] }
      for interface in type.interfaces where types[interface.index].kind == .interface {
        if type.kind == .object {
          types[interface.index].possibleTypes.append(TypeID(index))
        } else {
          types[interface.index].implementingInterfaces.append(TypeID(index))
        }
      }
    }
  }

  // MARK: The schema definition

  private struct RootTypes {
    var description: String?
    var query: TypeID?
    var mutation: TypeID?
    var subscription: TypeID?
    var directives: [AppliedDirective] = []
  }

  private mutating func rootTypes() -> RootTypes {
    var roots = RootTypes()
    var defined = false
    for node in document.children(of: 0)
    where document[node].kind == .schemaDefinition || document[node].kind == .schemaExtension {
      if document[node].kind == .schemaDefinition {
        defined = true
        roots.description = description(of: node, in: document)
      }
      roots.directives += appliedDirectives(node, in: document)
      for root in document.children(of: node, .rootOperationTypeDefinition) {
        let id = typeID(root + 1, in: document, for: "schema")
        switch OperationType(document[root].flags) {
        case .query: roots.query = id
        case .mutation: roots.mutation = id
        case .subscription: roots.subscription = id
        }
      }
    }
    // Without a schema definition the root types are those of the usual names (section 3.3.1).
    if !defined {
      roots.query = roots.query ?? typeNames.place(of: "Query").map(TypeID.init)
      roots.mutation = roots.mutation ?? typeNames.place(of: "Mutation").map(TypeID.init)
      roots.subscription = roots.subscription ?? typeNames.place(of: "Subscription").map(TypeID.init)
    }
    return roots
  }

  // MARK: Pieces

  private mutating func typeReference(
    _ node: NodeIndex, in source: Document, for coordinate: String
  ) -> TypeReference? {
    guard var at = source.type(of: node) else { return nil }
    var wrappers: [NodeKind] = []
    while source[at].kind != .namedType {
      wrappers.append(source[at].kind)
      at += 1
    }
    guard wrappers.count <= TypeReference.maximumWrappers else {
      report("The type of \(coordinate) is wrapped in too many lists.", node, in: source)
      return nil
    }
    guard let id = typeID(at, in: source, for: coordinate) else { return nil }
    return wrappers.reversed().reduce(TypeReference(type: id)) { reference, wrapper in
      wrapper == .listType ? reference.wrappedInList : reference.wrappedInNonNull
    }
  }

  private mutating func typeID(_ node: NodeIndex, in source: Document, for coordinate: String) -> TypeID? {
    guard let place = typeNames.place(of: node, in: source) else {
      report("Unknown type \"\(source.name(node))\" at \(coordinate).", node, in: source)
      return nil
    }
    return TypeID(place)
  }

  private func description(of node: NodeIndex, in source: Document) -> String? {
    source.description(of: node).map { source.stringValue(of: $0) }
  }

  private func appliedDirectives(_ node: NodeIndex, in source: Document) -> [AppliedDirective] {
    source.children(of: node, .directive).map { appliedDirective($0, in: source) }
  }

  private func appliedDirective(_ node: NodeIndex, in source: Document) -> AppliedDirective {
    AppliedDirective(
      name: source.name(node),
      arguments: source.children(of: node, .argument).map { argument in
        (source.name(argument), source.value(of: argument).map { Printer.print($0, of: source) } ?? "")
      })
  }

  private func deprecationReason(_ directives: [AppliedDirective]) -> String? {
    guard let deprecated = directives.first(where: { $0.name == "deprecated" }) else { return nil }
    return deprecated.string("reason") ?? "No longer supported"
  }

  private mutating func report(_ message: String, _ node: NodeIndex, in source: Document) {
    errors.append(GraphQLError(message, at: [source.location(node)], code: .schemaInvalid))
  }
}

/// Everything that is wrong with a schema.
package struct SchemaError: Error, Sendable, CustomStringConvertible {
  package let errors: [GraphQLError]
  package init(_ errors: [GraphQLError]) { self.errors = errors }

  package var description: String {
    errors.map { error in
      let places = error.locations.map { "\($0.line):\($0.column)" }.joined(separator: ", ")
      return places.isEmpty ? error.message : "\(places): \(error.message)"
    }.joined(separator: "\n")
  }
}

extension ErrorCode {
  package static let schemaInvalid = ErrorCode(rawValue: "SCHEMA_INVALID")
}

extension AppliedDirective {
  /// An argument that is a string.
  package func string(_ name: String) -> String? {
    guard let literal = arguments.first(where: { $0.name == name })?.literal,
      let document = try? Parser.parseValue(Source(literal)), document[1].kind == .stringValue
    else { return nil }
    return document.stringValue(of: 1)
  }
}

extension TypeKind {
  init(_ kind: NodeKind) {
    switch kind {
    case .objectTypeDefinition: self = .object
    case .interfaceTypeDefinition: self = .interface
    case .unionTypeDefinition: self = .union
    case .enumTypeDefinition: self = .enum
    case .inputObjectTypeDefinition: self = .inputObject
    default: self = .scalar
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
