import GraphQL

extension GraphQLSchema {
  /// Fields with several resolvers, and resolvers whose Swift type is never a value of the field's type.
  func fieldFaults(in schema: Schema) -> [String] {
    var tables = objects.map { (name: $0.key, values: valueTypes(of: $0.value), repeated: $0.value.repeated) }
    let roots: [(OperationType, [String: any Sendable.Type], Set<String>)] = [
      (.query, valueTypes(of: queries), queries.repeated), (.mutation, valueTypes(of: mutations), mutations.repeated),
      (.subscription, valueTypes(of: subscriptions), subscriptions.repeated),
    ]
    tables += roots.map { (rootName($0, in: schema), $1, $2) }
    let types = ResultTypes(schema: schema, swiftTypes: swiftTypes, abstractTypes: abstractTypes, scalars: scalars)
    return tables.sorted { $0.name < $1.name }.flatMap { name, values, repeated in
      let definition = schema.type(named: name).map { schema[$0] }
      let mismatches = values.sorted { $0.key < $1.key }.compactMap { field, swiftType -> String? in
        guard let type = definition?.field(field)?.type, let reason = types.mismatch(of: swiftType, with: type) else {
          return nil
        }
        return "\(name).\(field) is resolved with \(swiftType), but \(reason)."
      }
      return repeated.sorted().map { "\(name).\($0) is resolved several times." } + mismatches
    }
  }

  /// Registrations of interfaces and unions that the schema does not have, or that exclude each other.
  func abstractTypeFaults(in schema: Schema) -> [String] {
    abstractTypes.sorted { $0.key < $1.key }.flatMap { name, types in
      var faults: [String] = []
      if schema.type(named: name).map({ !schema[$0].isAbstract }) ?? true {
        faults.append(
          "\(name) is registered as an abstract type, but the schema has no interface or union of that name."
        )
      }
      var seen: Set<ObjectIdentifier> = []
      for type in types where !seen.insert(ObjectIdentifier(type.swiftType)).inserted {
        faults.append("\(name) is registered with \(type.swiftType) several times.")
      }
      return faults
    }
  }

  private func valueTypes<Resolver>(of fields: FieldTable<Resolver>) -> [String: any Sendable.Type] {
    fields.entries.mapValues(\.valueType)
  }
}
