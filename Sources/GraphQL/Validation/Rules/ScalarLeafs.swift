/// Fields of composite types have selection sets, and fields of leaf types have none (specification, section 5.3.3).
enum ScalarLeafs {
  @inline(never)
  static func report(
    _ field: NodeIndex,
    definition: Int,
    selectionSet: NodeIndex,
    in validation: inout Validation
  ) {
    let reference = validation.index.fields[definition].type
    let (name, type) = (validation.name(field), validation.schema.name(of: reference))
    if validation.index.types[reference.type.index].isComposite {
      validation.report(.scalarLeafs, at: field) {
        "Field \"\(name)\" of type \"\(type)\" must have a selection of subfields. Did you mean \"\(name) { ... }\"?"
      }
    } else {
      validation.violations.append(
        .scalarLeafs,
        order: .entering(field),
        at: [validation.nodes[selectionSet].start]
      ) { "Field \"\(name)\" must not have a selection since type \"\(type)\" has no subfields." }
    }
  }
}
