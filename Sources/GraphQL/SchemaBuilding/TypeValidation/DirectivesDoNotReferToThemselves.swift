/// A directive is not applied to its own definition, or to anything that the definition references (specification,
/// section 3.13).
enum DirectivesDoNotReferToThemselves {
  private enum Element: Hashable {
    case directive(Int)
    case type(TypeID)
  }

  static func check(_ validation: inout TypeValidation) {
    let schema = validation.schema
    for (index, directive) in schema.directives.enumerated() {
      var seen: Set<Element> = []
      var pending = references(of: .directive(index), in: schema)
      while let element = pending.popLast() {
        guard seen.insert(element).inserted else { continue }
        if element == .directive(index) {
          validation.report(
            "Directive @\(directive.name) cannot reference itself, directly or through what its definition refers to.",
            at: .directive(directive.name)
          )
          break
        }
        pending += references(of: element, in: schema)
      }
    }
  }

  private static func references(of element: Element, in schema: Schema) -> [Element] {
    switch element {
    case .directive(let index): return schema.directives[index].arguments.flatMap { references(of: $0, in: schema) }
    case .type(let id):
      let type = schema[id]
      return references(of: type.directives, in: schema)
        + type.inputFields.flatMap { references(of: $0, in: schema) }
        + type.enumValues.flatMap { references(of: $0.directives, in: schema) }
    }
  }

  private static func references(of value: InputValueDefinition, in schema: Schema) -> [Element] {
    [.type(value.type.type)] + references(of: value.directives, in: schema)
  }

  private static func references(of directives: [AppliedDirective], in schema: Schema) -> [Element] {
    directives.compactMap { schema.directiveNames.index(of: $0.name) }.map { .directive($0) }
  }
}
