import GraphQL

/// The resolvers of a type's fields, as they were registered.
struct FieldTable<Resolver: Sendable>: Sendable {
  struct Entry: Sendable {
    let resolver: Resolver
    /// The Swift type of the values, or of the events of a subscription.
    let valueType: any Sendable.Type
    /// Whether the schema can lack the field.
    let isOptional: Bool
  }

  /// Whether the schema can lack the fields that are added from now on.
  var areOptional = false
  /// By the names of the fields.
  private(set) var entries: [String: Entry] = [:]
  /// The fields that were registered several times, which is a fault.
  private(set) var repeated: Set<String> = []

  var isEmpty: Bool { entries.isEmpty }
  var resolvers: [String: Resolver] { entries.mapValues(\.resolver) }

  /// The resolvers for a type of the schema, without those that are optional and have no field. Nil if none is left.
  func resolvers(for type: TypeDefinition?) -> [String: Resolver]? {
    let known = entries.filter { !$0.value.isOptional || type?.field($0.key) != nil }
    return known.isEmpty && !isEmpty ? nil : known.mapValues(\.resolver)
  }

  mutating func add(_ field: String, of valueType: any Sendable.Type, _ resolver: Resolver) {
    add(Entry(resolver: resolver, valueType: valueType, isOptional: areOptional), as: field)
  }

  mutating func add(_ other: FieldTable) {
    repeated.formUnion(other.repeated)
    for (field, entry) in other.entries { add(entry, as: field) }
  }

  private mutating func add(_ entry: Entry, as field: String) {
    if entries.updateValue(entry, forKey: field) != nil { repeated.insert(field) }
  }
}
