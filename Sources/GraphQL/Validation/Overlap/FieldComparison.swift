/// Comparison of two fields.
extension Validation {
  /// The type of a field, or nil if the field is not defined.
  func type(ofField field: NodeIndex) -> TypeReference? {
    let definition = Int(selected[field].definition)
    return definition < 0 ? nil : index.fields[definition].type
  }

  /// Whether two fields have the same response shape: the same list and non-null wrappers, and the same leaf type or
  /// both composite types. An undefined field has the shape of every other field.
  func isSameShape(_ one: NodeIndex, _ other: NodeIndex) -> Bool {
    guard let a = type(ofField: one), let b = type(ofField: other) else { return true }
    guard a != b else { return true }
    return a.wrappers == b.wrappers && !index.types[a.type.index].isLeaf && !index.types[b.type.index].isLeaf
  }

  /// Whether two fields have the same arguments, in any order.
  mutating func isSameArguments(_ one: NodeIndex, _ other: NodeIndex) -> Bool {
    areSameMembers(
      .argument,
      from: firstArgument(of: one),
      to: Int(nodes[one].subtreeEnd),
      from: firstArgument(of: other),
      to: Int(nodes[other].subtreeEnd)
    )
  }

  /// Whether neither of two fields has `@stream`, or both have it with the same arguments.
  mutating func isSameStream(_ one: NodeIndex, _ other: NodeIndex) -> Bool {
    guard !incrementalUses.isEmpty else { return true }
    let (stream, otherStream) = (self.stream(of: one), self.stream(of: other))
    guard let stream, let otherStream else { return stream == nil && otherStream == nil }
    return areSameMembers(
      .argument,
      from: stream + 1,
      to: Int(nodes[stream].subtreeEnd),
      from: otherStream + 1,
      to: Int(nodes[otherStream].subtreeEnd)
    )
  }

  private func stream(of field: NodeIndex) -> NodeIndex? {
    document.children(of: field, .directive).first { isNamed($0, name: "stream") }
  }

  private func firstArgument(of field: NodeIndex) -> NodeIndex {
    let key = document.responseKeyNode(of: field)
    return key == field ? field + 1 : key + 1
  }

  /// Whether arguments, or fields of input objects, have the same names with the same values. This takes quadratic time
  /// if they are in different orders, so it is limited by the budget. When the budget is spent, the result is false and
  /// has no meaning.
  private mutating func areSameMembers(
    _ kind: NodeKind,
    from one: NodeIndex,
    to end: NodeIndex,
    from other: NodeIndex,
    to otherEnd: NodeIndex
  ) -> Bool {
    var (a, b) = (one, other)
    while a < end, nodes[a].kind == kind {
      guard b < otherEnd, nodes[b].kind == kind else { return false }
      // The order is usually the same.
      var match = b
      if !document.isSameName(a, match) {
        match = other
        while match < otherEnd, nodes[match].kind == kind, !document.isSameName(a, match) {
          guard spend() else { return false }
          match = Int(nodes[match].subtreeEnd)
        }
        guard match < otherEnd, nodes[match].kind == kind else { return false }
      }
      guard isSameValue(a + 1, match + 1) else { return false }
      a = Int(nodes[a].subtreeEnd)
      b = Int(nodes[b].subtreeEnd)
    }
    return b >= otherEnd || nodes[b].kind != kind
  }

  private mutating func isSameValue(_ one: NodeIndex, _ other: NodeIndex) -> Bool {
    guard spend() else { return false }
    let (a, b) = (nodes[one], nodes[other])
    guard a.kind == b.kind else { return false }
    switch a.kind {
    case .variable, .enumValue: return document.isSameName(one, other)
    case .nullValue: return true
    case .booleanValue: return a.flags == b.flags
    case .stringValue:
      if isSameText(a, b) { return true }
      guard a.flags.contains(.block) == b.flags.contains(.block), spend(Int(a.end - a.start + b.end - b.start) / 8)
      else { return false }
      return (a.flags.contains(.needsDecoding) || b.flags.contains(.needsDecoding))
        && document.stringValue(of: one).hasSameBytes(as: document.stringValue(of: other))
    case .listValue:
      var (item, otherItem) = (one + 1, other + 1)
      while item < Int(a.subtreeEnd), otherItem < Int(b.subtreeEnd) {
        guard isSameValue(item, otherItem) else { return false }
        item = Int(nodes[item].subtreeEnd)
        otherItem = Int(nodes[otherItem].subtreeEnd)
      }
      return item == Int(a.subtreeEnd) && otherItem == Int(b.subtreeEnd)
    case .objectValue:
      return areSameMembers(
        .objectField,
        from: one + 1,
        to: Int(a.subtreeEnd),
        from: other + 1,
        to: Int(b.subtreeEnd)
      )
    default: return isSameText(a, b)
    }
  }

  private mutating func isSameText(_ one: Node, _ other: Node) -> Bool {
    guard one.end - one.start == other.end - other.start else { return false }
    let length = Int(one.end - one.start)
    guard spend(length / 32) else { return false }
    for offset in 0..<length where bytes[Int(one.start) + offset] != bytes[Int(other.start) + offset] {
      return false
    }
    return true
  }
}
