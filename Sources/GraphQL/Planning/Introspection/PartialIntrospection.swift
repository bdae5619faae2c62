import Bytes

/// The result of an introspection field below which fields fail, because their arguments cannot be coerced
/// (specification, section 6.4.1). It is written for each response, which has an error for each object with such a
/// field.
struct PartialIntrospection: Sendable {
  /// A field of a selection set.
  struct Field: Sendable {
    let selected: IntrospectionSelections.Field
    let nodes: NodeList
    let type: TypeReference
    /// The error of the arguments. Nil if the field does not fail.
    let failure: ArgumentError?
    /// The index in `OperationPlan.fields`, for the paths of errors.
    var index: Int32 = 0
  }

  let table: IntrospectionTable
  /// Nil if the result is null.
  let row: Int?
  /// The index in `sets` of the selection set of the introspection field.
  let set: Int
  /// The fields of each selection set.
  var sets: [[Field]]

  /// Appends the JSON of a leaf.
  func append(_ leaf: IntrospectionTable.Value, to output: inout ByteBuffer) {
    let range = Int(leaf.start)..<Int(leaf.start) + Int(leaf.length)
    table.text.withUnsafeBytes { output.append(UnsafeRawBufferPointer(rebasing: $0[range])) }
  }
}
