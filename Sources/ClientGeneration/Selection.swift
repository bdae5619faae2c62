import GraphQL

/// The result of a selection set, which becomes a type of the generated client.
struct Selection {
  struct Field {
    let key: String
    let description: String?
    let type: TypeReference
    /// Whether a directive can exclude it.
    let isConditional: Bool
    /// Nil for a leaf field.
    let selection: Selection?
  }

  struct Case {
    let typeName: String
    let selection: Selection
  }

  var fields: [Field]
  /// The spread fragments in order. They become types of their own, decoded from the same object.
  var fragments: [String]
  /// The cases by object type, if the selection depends on it. `fields` and `fragments` then contain what all types
  /// have in common.
  var cases: [Case]
}
