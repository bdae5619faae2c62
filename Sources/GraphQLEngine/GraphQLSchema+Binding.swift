import GraphQL

extension GraphQLSchema {
  /// The schema in the engine's form.
  ///
  /// - Throws: `GraphQLSchemaError` with every fault of the schema, and every field without a resolver or resolver
  ///   without a field.
  package func executable() throws -> ExecutableSchema {
    do {
      let schema = try SchemaBuilder.build(text, scalars: scalars.byName)
      return try ExecutableSchema(schema, objects: bindings(in: schema))
    } catch let error as GraphQLSchemaError {
      throw error
    } catch {
      throw GraphQLSchemaError(description: "\(error)")
    }
  }

  /// The schema's source text, for clients that request it.
  package var sdl: String { text }

  private func bindings(in schema: Schema) throws -> [String: ObjectBinding] {
    var resolvers = objects
    resolvers[schema[schema.queryType].name, default: [:]].merge(queries) { $1 }
    let mutationName = schema.mutationType.map { schema[$0].name } ?? OperationType.mutation.defaultTypeName
    if !mutations.isEmpty || schema.mutationType != nil {
      resolvers[mutationName, default: [:]].merge(mutations) { $1 }
    }
    var bindings = try resolvers.map { name, fields in
      let type = schema.type(named: name).map { schema[$0] }
      return (
        name,
        ObjectBinding(
          fields: Dictionary(
            uniqueKeysWithValues: try fields.map { field, resolver in
              (field, try binding(of: resolver, at: "\(name).\(field)", definition: type?.field(field), in: schema))
            }
          )
        )
      )
    }
    if let subscription = try subscriptionBinding(in: schema) { bindings.append(subscription) }
    return Dictionary(bindings) { $1 }
  }

  private func binding(
    of resolver: FieldResolver<Context>,
    at coordinate: String,
    definition: FieldDefinition?,
    in schema: Schema
  ) throws -> FieldBinding {
    let result = definition.map { schema[$0.type.type] }
    let binding = ResolverBinding(
      resolver: resolver,
      field: DeclaredField(coordinate, definition: definition),
      types: try definition.map { try objectTypes(of: $0.type.type, in: schema) } ?? .several([:], of: coordinate),
      scalars: scalars,
      isList: definition?.type.isList ?? false
    )
    return result?.isComposite == true ? binding.objects : binding.leaf
  }

  /// The object types that values of a type can have, by their Swift types.
  private func objectTypes(of result: TypeID, in schema: Schema) throws -> ObjectTypes {
    let type = schema[result]
    if type.kind == .object { return .one(result) }
    var types: [ObjectIdentifier: TypeID] = [:]
    for possible in type.possibleTypes {
      let name = schema[possible].name
      guard let swiftType = swiftTypes[name] else { continue }
      if let other = types.updateValue(possible, forKey: ObjectIdentifier(swiftType)) {
        throw GraphQLSchemaError(
          description: """
            \(swiftType) is the Swift type of \(schema[other].name) and \(name), which are both object types of \
            \(type.name): give them different Swift types.
            """
        )
      }
    }
    return .several(types, of: type.name)
  }

  /// The field of a subscription resolves to the event of its sequence.
  private func subscriptionBinding(in schema: Schema) throws -> (String, ObjectBinding)? {
    guard schema.subscriptionType != nil || !subscriptions.isEmpty else { return nil }
    let name = schema.subscriptionType.map { schema[$0].name } ?? OperationType.subscription.defaultTypeName
    let type = schema.type(named: name).map { schema[$0] }
    let event = FieldResolver<Context>.value { event, _ in event }
    var binding = ObjectBinding(fields: [:])
    for (field, sequence) in subscriptions {
      let declared = DeclaredField("\(name).\(field)", definition: type?.field(field))
      binding.fields[field] = try self.binding(
        of: event,
        at: declared.coordinate,
        definition: type?.field(field),
        in: schema
      )
      binding.sources[field] = source(of: declared, sequence)
    }
    return (name, binding)
  }

  private func source(of field: DeclaredField, _ sequence: @escaping EventSequence<Context>) -> SourceBinding {
    { [scalars] arguments, _, context in
      guard let context = context as? ResolverContext<Context> else {
        throw UnsuitableValue(description: "The context of the request is not a ResolverContext<\(Context.self)>")
      }
      let request = FieldRequest(context.value, arguments: arguments, of: field, scalars: scalars)
      return context.sources.stream(of: field.coordinate) { try await sequence(request) }
    }
  }
}
