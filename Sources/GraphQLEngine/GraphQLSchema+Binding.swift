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
    } catch {
      throw GraphQLSchemaError(description: "\(error)")
    }
  }

  /// The schema's source text, for clients that request it.
  package var sdl: String { text }

  private func bindings(in schema: Schema) -> [String: ObjectBinding] {
    let types = ObjectTypes(byValue: names.compactMapValues { schema.type(named: $0) })
    var resolvers = objects
    resolvers[schema[schema.queryType].name, default: [:]].merge(queries) { $1 }
    let mutationName = schema.mutationType.map { schema[$0].name } ?? OperationType.mutation.defaultTypeName
    if !mutations.isEmpty || schema.mutationType != nil {
      resolvers[mutationName, default: [:]].merge(mutations) { $1 }
    }
    var bindings = resolvers.map { name, fields in
      let type = schema.type(named: name).map { schema[$0] }
      return (
        name,
        ObjectBinding(
          fields: Dictionary(
            uniqueKeysWithValues: fields.map { field, resolver in
              (field, binding(of: resolver, type: name, field: field, type?.field(field), in: schema, types))
            }
          )
        )
      )
    }
    if let subscription = subscriptionBinding(in: schema, types) { bindings.append(subscription) }
    return Dictionary(bindings) { $1 }
  }

  private func binding(
    of resolver: FieldResolver<Context>,
    type: String,
    field: String,
    _ definition: FieldDefinition?,
    in schema: Schema,
    _ types: ObjectTypes
  ) -> FieldBinding {
    let result = definition.map { schema[$0.type.type] }
    let binding = ResolverBinding(
      resolver: resolver,
      coordinate: "\(type).\(field)",
      types: types,
      scalars: scalars,
      objectType: result?.kind == .object ? definition?.type.type : nil,
      isList: definition?.type.isList ?? false
    )
    return result?.isComposite == true ? binding.objects : binding.leaf
  }

  /// The field of a subscription resolves to the event of its sequence.
  private func subscriptionBinding(in schema: Schema, _ types: ObjectTypes) -> (String, ObjectBinding)? {
    guard schema.subscriptionType != nil || !subscriptions.isEmpty else { return nil }
    let name = schema.subscriptionType.map { schema[$0].name } ?? OperationType.subscription.defaultTypeName
    let type = schema.type(named: name).map { schema[$0] }
    let event = FieldResolver<Context>.value { event, _ in event }
    return (
      name,
      ObjectBinding(
        fields: Dictionary(
          uniqueKeysWithValues: subscriptions.keys.map { field in
            (field, binding(of: event, type: name, field: field, type?.field(field), in: schema, types))
          }
        ),
        sources: subscriptions.mapValues { [scalars] sequence in
          { arguments, _, context in
            guard let context = context as? ResolverContext<Context>, let sources = context.sources else {
              throw FieldError("Subscriptions require a server.", code: .badUserInput)
            }
            let request = FieldRequest(context.value, arguments: arguments, scalars: scalars)
            return sources.stream { publish in try await sequence(request, publish) }
          }
        }
      )
    )
  }
}
