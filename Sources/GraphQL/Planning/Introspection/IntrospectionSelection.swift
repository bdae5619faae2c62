/// A selection set on one of introspection's types, its fields collected and merged (specification, section 6.3.2).
/// Worked out once, so that writing it for hundreds of types asks no questions of the document.
final class IntrospectionSelection: Sendable {
  struct Field: Sendable {
    let field: IntrospectionField
    /// As JSON, with its colon.
    let key: [UInt8]
    /// Whether a list shows what is deprecated.
    let includesDeprecated: Bool
    /// Of fields that give objects.
    let selection: IntrospectionSelection?
  }

  /// Of `__schema` and its like: what `__typename` answers, as JSON.
  let typename: [UInt8]
  let fields: [Field]

  init(typename: [UInt8], fields: [Field]) {
    self.typename = typename
    self.fields = fields
  }
}
