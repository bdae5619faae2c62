import GraphQL

extension GraphQLSchema {
  /// The schema in the engine's form.
  ///
  /// - Parameter limits: Its `listSize` is a part of the schema's costs.
  /// - Throws: `GraphQLSchemaError` with every fault of the schema; or, of a schema without, with every field without a
  ///   resolver, resolver without a field, and registration that contradicts the schema or another one.
  package func executable(limits: GraphQLLimits) throws(GraphQLSchemaError) -> ExecutableSchema {
    var faults: [String] = []
    do throws(SchemaError) {
      let schema = try SchemaBuilder.build(text, scalars: scalars.byName)
      let checks = DirectiveChecks(of: self, in: schema)
      faults = self.faults(in: schema) + checks.faults
      let executable = try ExecutableSchema(
        schema,
        objects: bindings(in: schema, checks),
        listSize: max(0, limits.listSize)
      )
      if faults.isEmpty { return executable }
    } catch {
      faults.append("\(error)")
    }
    throw GraphQLSchemaError(description: faults.joined(separator: "\n"))
  }

  /// The schema's source text, for clients that request it.
  package var sdl: String { text }

  private func bindings(in schema: Schema, _ checks: DirectiveChecks<Context>) -> [String: ObjectBinding] {
    var resolvers: [String: [String: FieldResolver<Context>]] = [:]
    for (name, fields) in objects {
      resolvers[name] = fields.resolvers(for: schema.type(named: name).map { schema[$0] })
    }
    resolvers[rootName(.query, in: schema), default: [:]].merge(queries.resolvers) { $1 }
    if !mutations.isEmpty || schema.mutationType != nil {
      resolvers[rootName(.mutation, in: schema), default: [:]].merge(mutations.resolvers) { $1 }
    }
    var bindings = resolvers.map { name, fields in
      let type = schema.type(named: name).map { schema[$0] }
      return (
        name,
        ObjectBinding(
          fields: Dictionary(
            uniqueKeysWithValues: fields.map { field, resolver in
              let check = checks.check(of: field, in: name)
              let declared = DeclaredField("\(name).\(field)", definition: type?.field(field), in: schema)
              return (field, binding(of: resolver, declared, as: type?.field(field), check: check, in: schema))
            }
          )
        )
      )
    }
    if let subscription = subscriptionBinding(in: schema, checks) { bindings.append(subscription) }
    return Dictionary(bindings) { $1 }
  }

  /// The name of a root operation type, also of one that the schema lacks.
  func rootName(_ operation: OperationType, in schema: Schema) -> String {
    schema.rootType(operation).map { schema[$0].name } ?? operation.defaultTypeName
  }

  private func binding(
    of resolver: FieldResolver<Context>,
    _ field: DeclaredField,
    as definition: FieldDefinition?,
    check: FieldCheck<Context>?,
    in schema: Schema
  ) -> FieldBinding {
    let result = definition.map { schema[$0.type.type] }
    let binding = ResolverBinding(
      resolver: resolver,
      field: field,
      check: check,
      types: definition.map { objectTypes(of: $0.type.type, in: schema) }
        ?? .several(PossibleTypes(name: field.coordinate)),
      scalars: scalars,
      isList: definition?.type.isList ?? false
    )
    return result?.isComposite == true ? binding.objects : binding.leaf
  }

  /// The object types that values of a type can have.
  private func objectTypes(of result: TypeID, in schema: Schema) -> ObjectTypes {
    let type = schema[result]
    if type.kind == .object { return .one(result) }
    var types = PossibleTypes(name: type.name, abstractTypes: abstractTypes[type.name] ?? [])
    for possible in type.possibleTypes {
      let name = schema[possible].name
      types.byName[name] = possible
      guard let swiftType = swiftTypes[name]?.last else { continue }
      types.bySwiftType[ObjectIdentifier(swiftType)] = possible
    }
    return .several(types)
  }

  /// The field of a subscription resolves to the event of its sequence.
  private func subscriptionBinding(
    in schema: Schema,
    _ checks: DirectiveChecks<Context>
  ) -> (String, ObjectBinding)? {
    guard schema.subscriptionType != nil || !subscriptions.isEmpty else { return nil }
    let name = rootName(.subscription, in: schema)
    let type = schema.type(named: name).map { schema[$0] }
    let event = FieldResolver<Context>.value { event, _ in event }
    var binding = ObjectBinding(fields: [:])
    for (field, sequence) in subscriptions.resolvers {
      let check = checks.check(of: field, in: name)
      let declared = DeclaredField("\(name).\(field)", definition: type?.field(field), in: schema)
      binding.fields[field] = self.binding(of: event, declared, as: type?.field(field), check: check, in: schema)
      binding.sources[field] = source(of: declared, check: check, sequence)
    }
    return (name, binding)
  }

  private func source(
    of field: DeclaredField,
    check: FieldCheck<Context>?,
    _ sequence: @escaping EventSequence<Context>
  ) -> SourceBinding {
    { [scalars] arguments, _, context in
      let context = try ResolverContext<Context>.of(context)
      try field.checkSizes(in: arguments)
      let request = FieldRequest(context, arguments: arguments, of: field, scalars: scalars, selection: nil)
      try check?(request)
      return context.sources.stream(requestError: context.sequenceErrors(at: field.coordinate)) {
        try await sequence(request)
      }
    }
  }
}
