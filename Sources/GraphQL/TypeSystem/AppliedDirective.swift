/// A directive applied to a definition, as written. Kept so that a printed schema has the same directives.
package struct AppliedDirective: Sendable {
  package var name: String
  /// The arguments as written, in their order.
  package var arguments: [(name: String, literal: String)]

  init(_ node: NodeIndex, in source: Document) {
    name = source.name(node)
    arguments = source.children(of: node, .argument).map { argument in
      (source.name(argument), source.value(of: argument).map { Printer.print($0, of: source) } ?? "")
    }
  }

  /// The value of a string argument.
  package func string(_ name: String) -> String? {
    guard let literal = arguments.first(where: { $0.name == name })?.literal,
      let document = try? Parser.parseValue(Source(literal)), document[1].kind == .stringValue
    else { return nil }
    return document.stringValue(of: 1)
  }
}

extension [AppliedDirective] {
  init(on node: NodeIndex, in source: Document) {
    self = source.children(of: node, .directive).map { AppliedDirective($0, in: source) }
  }

  /// The reason of `@deprecated` (specification, section 3.13.3), or nil if the element is not deprecated.
  var deprecationReason: String? {
    first { $0.name == "deprecated" }.map { $0.string("reason") ?? "No longer supported" }
  }
}
