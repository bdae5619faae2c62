/// A selection set on an introspection type, its fields collected and merged (specification, section 6.3.2). Prepared
/// once, so that writing it for hundreds of types does not access the document.
final class IntrospectionSelection: Sendable {
  struct Field: Sendable {
    let field: IntrospectionField
    /// The response key as JSON, with the colon.
    let key: [UInt8]
    /// Whether a list includes deprecated elements.
    let includesDeprecated: Bool
    /// The selection set of a field of a composite type.
    let selection: IntrospectionSelection?
  }

  /// The result of `__typename`, as JSON.
  let typename: [UInt8]
  let fields: [Field]

  init(typename: [UInt8], fields: [Field]) {
    self.typename = typename
    self.fields = fields
  }
}
