import GraphQL

/// What a selection set gives: a type of the generated client.
struct Selection {
  struct Field {
    let key: String
    let description: String?
    let type: TypeReference
    /// Whether a directive may leave it out.
    let isConditional: Bool
    /// Nil where the field is a leaf.
    let selection: Selection?
  }

  struct Case {
    let typeName: String
    let selection: Selection
  }

  var fields: [Field]
  /// The fragments that are spread here, in their order: types of their own, read from the same object.
  var fragments: [String]
  /// By the type of the object, where the selection depends on it; `fields` and `fragments` are then those that every
  /// type has.
  var cases: [Case]
}
