/// No input object requires a value of its own type, because such a value would be infinite (specification, section
/// 3.10, "Circular References").
enum InputObjectsAreFinite {
  static func check(_ validation: inout TypeValidation) {
    var search = Search(schema: validation.schema)
    for (index, type) in validation.schema.types.enumerated() where type.kind == .inputObject {
      search.visit(TypeID(index), in: &validation)
    }
  }

  /// A depth-first search over the required fields of input object types. Each type is visited once, so each cycle is
  /// reported once.
  private struct Search {
    let schema: Schema
    private var visited: Set<TypeID> = []
    private var path: [(type: TypeID, field: String)] = []
    /// The index on the path at which the fields of a type start.
    private var positions: [TypeID: Int] = [:]

    init(schema: Schema) { self.schema = schema }

    mutating func visit(_ id: TypeID, in validation: inout TypeValidation) {
      guard visited.insert(id).inserted else { return }
      positions[id] = path.count
      for field in schema[id].inputFields {
        let next = field.type.type
        guard field.type.isNonNull, field.type.nullable.isNamed, schema[next].kind == .inputObject else { continue }
        path.append((id, field.name))
        if let start = positions[next] {
          let cycle = path[start...]
          validation.report(
            "Cannot reference Input Object \"\(schema[next].name)\" within itself through a series of non-null fields: "
              + "\"\(cycle.map(\.field).joined(separator: "."))\".",
            at: cycle.map { .element(.member(type: schema[$0.type].name, name: $0.field)) }
          )
        } else {
          visit(next, in: &validation)
        }
        path.removeLast()
      }
      positions[id] = nil
    }
  }
}
