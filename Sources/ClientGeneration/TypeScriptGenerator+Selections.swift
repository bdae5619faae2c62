import GraphQL

extension TypeScriptGenerator {
  /// The type of a selection: an object type, or a union by `__typename`.
  mutating func type(of selection: Selection, indented indentation: String) -> String {
    guard !selection.cases.isEmpty else { return object(selection, typeName: nil, indented: indentation) }
    let inner = indentation + "  "
    var members: [String] = []
    for each in selection.cases {
      members.append(object(each.selection, typeName: literal(each.typeName), indented: inner))
    }
    let listed = Set(selection.cases.map(\.typeName))
    var other = selection
    other.cases = []
    let name = Self.typeName(of: selection.possibleTypes.filter { !listed.contains($0) }, isOpen: true)
    // The ids of types that are added later are not those of the known ones.
    other.possibleTypes = []
    members.append(object(other, typeName: name, indented: inner))
    return members.map { "\n\(inner)| \($0)" }.joined()
  }

  /// The names of types as a union of literals, by which others are discriminated. Types that are added later therefore
  /// have a name that no type can have.
  private static func typeName(of types: [String], isOpen: Bool) -> String {
    (types.map(literal) + (isOpen ? [literal("%other")] : [])).joined(separator: " | ")
  }

  private mutating func object(_ selection: Selection, typeName: String?, indented indentation: String) -> String {
    let inner = indentation + "  "
    var lines: [String] = []
    var keys: Set<String> = []
    if let typeName {
      lines.append("\(inner)__typename: \(typeName);")
      keys.insert("__typename")
    }
    for field in selection.fields where keys.insert(field.key).inserted {
      if let description = field.description {
        var writer = TypeScriptWriter()
        writer.comment(description)
        lines += writer.text.split(separator: "\n").map { inner + $0 }
      }
      let type = wrapped(field.type, named: name(of: field, in: selection, typeName: typeName, indented: inner))
      lines.append("\(inner)\(field.key)\(field.isConditional ? "?" : ""): \(type);")
    }
    // A fragment on an interface has ids of all of its types. Here they are known to be those of fewer.
    if !keys.contains("id"), let id = narrowedID(of: selection) { lines.append("\(inner)id: \(id);") }
    let own = lines.isEmpty ? [] : ["{\n" + lines.joined(separator: "\n") + "\n\(indentation)}"]
    let parts = selection.fragments.map { SwiftName.type($0) } + own
    return parts.isEmpty ? "{}" : parts.joined(separator: " & ")
  }

  private mutating func name(
    of field: Selection.Field,
    in selection: Selection,
    typeName: String?,
    indented indentation: String
  ) -> String {
    if let nested = field.selection {
      let type = type(of: nested, indented: indentation)
      let isUnion = !nested.cases.isEmpty || type.contains(" & ")
      return isUnion && (field.type.isList || !field.type.isNonNull) ? "(\(type))" : type
    }
    if field.name == "__typename" {
      return typeName ?? Self.typeName(of: selection.possibleTypes, isOpen: selection.isOpen)
    }
    let name = name(of: field.type.type)
    if schema[field.type.type].kind == .enum { return "Open<\(name)>" }
    return name == "ID" && field.name == "id" ? Self.id(of: selection.possibleTypes) : name
  }

  private func narrowedID(of selection: Selection) -> String? {
    let id = Self.id(of: selection.possibleTypes)
    let isNarrower = selection.fragments.contains { fragment in
      guard let spread = fragments[fragment], spread.possibleTypes != selection.possibleTypes else { return false }
      return spread.fields.contains {
        $0.key == "id" && $0.name == "id" && schema[$0.type.type].name == "ID" && !$0.isConditional
          && $0.type.isNonNull
      }
    }
    return isNarrower && id != "ID" ? id : nil
  }
}
