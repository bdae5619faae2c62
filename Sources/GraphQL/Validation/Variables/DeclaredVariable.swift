/// A variable that an operation defines.
struct DeclaredVariable {
  let node: NodeIndex
  /// The type of the variable, or nil if the schema has no such type.
  let type: TypeReference?
  let hasNonNullDefault: Bool
  var isUsed = false
}
