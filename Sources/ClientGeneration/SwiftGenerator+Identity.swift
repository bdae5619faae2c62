import GraphQL

/// `Identifiable`, which SwiftUI's lists require.
extension SwiftGenerator {
  /// How a selection contains the id of its object.
  enum Identity {
    case field
    /// The id is that of a fragment, which is decoded from the same object.
    case fragment(String)
  }

  /// Nil if the selection has no id that is always present.
  func identity(of selection: Selection) -> Identity? {
    // A case that also selects the id by a condition has it as an optional.
    guard selection.cases.allSatisfy({ identity(of: $0.selection) != nil }) else { return nil }
    if let field = selection.fields.first(where: { SwiftName.property($0.key) == "id" }) {
      let isID = field.name == "id" && schema[field.type.type].name == "ID" && !field.type.isList
      return isID && field.type.isNonNull && !field.isConditional ? .field : nil
    }
    // Not if the property of another fragment has this name.
    guard !selection.fragments.contains(where: { SwiftName.uncapitalised(SwiftName.type($0)) == "id" }) else {
      return nil
    }
    return selection.fragments.first { fragments[$0].map { identity(of: $0) != nil } == true }.map(Identity.fragment)
  }

  /// The types of an id that is that of a fragment: its own in this selection, and that in the fragment.
  mutating func identityOfFragment(
    _ identity: Identity?,
    in selection: Selection
  ) -> (type: String, fragment: String, fragmentType: String)? {
    guard case .fragment(let name) = identity, let fragment = fragments[name] else { return nil }
    let type = idName(ofObjects: selection.possibleTypes)
    return (type, SwiftName.type(name), idName(ofObjects: fragment.possibleTypes))
  }

  static func conformances(_ identity: Identity?) -> String {
    (["Decodable", "Hashable"] + (identity == nil ? [] : ["Identifiable"]) + ["Sendable"]).joined(separator: ", ")
  }
}
