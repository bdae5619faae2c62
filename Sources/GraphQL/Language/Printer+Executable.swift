/// Operations, fields and fragments.
extension Printer {
  /// If a line exceeds this number of UTF-16 code units, each argument of the field is printed on its own line.
  private static let maxLineLength = 80

  func operationDefinition(_ index: NodeIndex) -> String {
    let flags = document[index].flags
    let type = flags.contains(.mutation) ? "mutation" : flags.contains(.subscription) ? "subscription" : "query"
    let items = document.children(of: index, .variableDefinition).map(print)
    // On separate lines, variable definitions are not indented, as in graphql-js.
    let variables =
      isMultiline(items)
      ? wrap("(\n", text: join(items, separator: "\n"), end: "\n)")
      : wrap("(", text: join(items, separator: ", "), end: ")")
    let prefix =
      description(index) + joinWords(type, document.name(index) + variables, directives(index))
    // The keyword of a query without name, variables and directives is omitted.
    return prefix == "query" ? selectionSet(index) : "\(prefix) \(selectionSet(index))"
  }

  func variableDefinition(_ index: NodeIndex) -> String {
    let defaultValue = wrap("= ", text: document.value(of: index).map(print) ?? "")
    return description(index)
      + joinWords("$\(document.name(index)): \(type(index))", defaultValue, directives(index))
  }

  func field(_ index: NodeIndex) -> String {
    let alias = wrap("", text: document.firstChild(of: index, .alias).map(print) ?? "", end: ": ")
    let prefix = alias + document.name(index)
    var line = prefix + wrap("(", text: all(.argument, of: index, ", "), end: ")")
    if line.utf16.count > Self.maxLineLength {
      line = prefix + wrap("(\n", text: indent(all(.argument, of: index, "\n")), end: "\n)")
    }
    return joinWords(line, directives(index), selectionSet(index))
  }

  func inlineFragment(_ index: NodeIndex) -> String {
    let typeCondition = document.type(of: index).map(print) ?? ""
    return joinWords("...", wrap("on ", text: typeCondition), directives(index), selectionSet(index))
  }

  func fragmentDefinition(_ index: NodeIndex) -> String {
    description(index)
      + joinWords("fragment \(document.name(index)) on \(type(index))", directives(index), selectionSet(index))
  }

  private func selectionSet(_ index: NodeIndex) -> String {
    document.firstChild(of: index, .selectionSet).map(print) ?? ""
  }

  func type(_ index: NodeIndex) -> String {
    document.type(of: index).map(print) ?? ""
  }
}
