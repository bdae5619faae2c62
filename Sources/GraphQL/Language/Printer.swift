/// Prints a document in the format of graphql-js's `print`. Parsing the text creates equal nodes; comments and layout
/// are not preserved.
///
/// The printer recurses to the nesting depth of the document, which `ParseOptions.depth` limits.
package struct Printer {
  let document: Document

  /// The text of a document, without a trailing newline.
  package static func print(_ document: Document) -> String {
    print(0, of: document)
  }

  /// The text of a node and its descendants.
  package static func print(_ node: NodeIndex, of document: Document) -> String {
    Printer(document: document).print(node)
  }

  func print(_ index: NodeIndex) -> String {
    let node = document[index]
    switch node.kind {
    case .document: return join(document.children(of: index).map(print), separator: "\n\n")
    case .operationDefinition: return operationDefinition(index)
    case .variableDefinition: return variableDefinition(index)
    case .selectionSet: return block(document.children(of: index).map(print))
    case .field: return field(index)
    case .fragmentSpread: return joinWords("...\(document.name(index))", directives(index))
    case .inlineFragment: return inlineFragment(index)
    case .fragmentDefinition: return fragmentDefinition(index)
    case .directive: return "@\(document.name(index))\(wrap("(", text: all(.argument, of: index, ", "), end: ")"))"
    case .argument, .objectField:
      return "\(document.name(index)): \(document.value(of: index).map(print) ?? "")"
    case .variable: return "$\(document.name(index))"
    case .stringValue: return stringValue(index)
    case .listValue: return "[\(join(document.children(of: index).map(print), separator: ", "))]"
    case .objectValue: return "{\(join(document.children(of: index).map(print), separator: ", "))}"
    case .listType: return "[\(print(index + 1))]"
    case .nonNullType: return "\(print(index + 1))!"
    case .alias, .namedType, .enumValue, .directiveLocation: return document.name(index)
    case .intValue, .floatValue, .booleanValue, .nullValue: return document.text(index)
    default: return typeSystemNode(index)
    }
  }

  private func stringValue(_ index: NodeIndex) -> String {
    let value = document.stringValue(of: index)
    return document[index].flags.contains(.block) ? BlockString.print(value) : StringValue.print(value)
  }
}

// MARK: Layout

extension Printer {
  /// The text of all children with a kind.
  func all(_ kind: NodeKind, of index: NodeIndex, _ separator: String) -> String {
    join(document.children(of: index, kind).map(print), separator: separator)
  }

  func directives(_ index: NodeIndex) -> String { all(.directive, of: index, " ") }

  /// The description and a newline, or an empty string if there is no description.
  func description(_ index: NodeIndex) -> String {
    document.description(of: index).map { print($0) + "\n" } ?? ""
  }

  /// Arguments in parentheses: each on its own line if any of them has several lines, else all on one line.
  func argumentsDefinition(_ items: [String]) -> String {
    isMultiline(items)
      ? wrap("(\n", text: indent(join(items, separator: "\n")), end: "\n)")
      : wrap("(", text: join(items, separator: ", "), end: ")")
  }

  func isMultiline(_ items: [String]) -> Bool {
    items.contains { $0.utf8.contains(UInt8(ascii: "\n")) }
  }

  func join(_ parts: [String], separator: String) -> String {
    parts.joined(separator: separator)
  }

  /// Joins the parts that are not empty with spaces.
  func joinWords(_ parts: String...) -> String {
    parts.filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// Items in braces, each on its own line, or an empty string if there are none.
  func block(_ items: [String]) -> String {
    wrap("{\n", text: indent(join(items, separator: "\n")), end: "\n}")
  }

  func wrap(_ start: String, text: String, end: String = "") -> String {
    text.isEmpty ? "" : start + text + end
  }

  func indent(_ text: String) -> String {
    guard !text.isEmpty else { return "" }
    var bytes: [UInt8] = [0x20, 0x20]
    bytes.reserveCapacity(text.utf8.count + 64)
    for byte in text.utf8 {
      bytes.append(byte)
      if byte == 0x0A { bytes += [0x20, 0x20] }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
