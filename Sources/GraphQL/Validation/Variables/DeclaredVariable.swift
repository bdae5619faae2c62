/// A variable that an operation declares.
struct DeclaredVariable {
  let node: NodeIndex
  /// Nil where the schema has no such type.
  let type: TypeReference?
  let hasNonNullDefault: Bool
  var isUsed = false
}
