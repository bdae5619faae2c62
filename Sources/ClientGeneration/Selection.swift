import GraphQL

/// The result of a selection set, which becomes a type of the generated client.
struct Selection {
  struct Field {
    let key: String
    /// The name of the field in the schema, which an alias does not change.
    let name: String
    let description: String?
    let type: TypeReference
    /// Whether a directive can exclude it.
    let isConditional: Bool
    /// Nil for a leaf field.
    let selection: Selection?

    /// Whether its value can be missing or null.
    var isOptional: Bool { isConditional || !type.isNonNull }
  }

  struct Case {
    let typeName: String
    let selection: Selection
  }

  /// The object types that the selection set can be applied to.
  var possibleTypes: [String]
  /// Whether the object can be of a type that is added later.
  var isOpen: Bool
  var fields: [Field]
  /// The spread fragments in order. They become types of their own, decoded from the same object.
  var fragments: [String]
  /// The cases by object type, if the selection depends on it. `fields` and `fragments` then contain what all types
  /// have in common.
  var cases: [Case]
}
