/// Checks `ValidationLimits.introspectionLists`, like `MaxIntrospectionDepthRule` of graphql-js.
enum IntrospectionDepthLimit {
  /// Records the root fields of introspection, which are identified by name, as in graphql-js.
  @inline(__always)
  static func note(_ field: NodeIndex, in validation: inout Validation) {
    guard validation.bytes[Int(validation.nodes[field].nameStart)] == UInt8(ascii: "_") else { return }
    if validation.isNamed(field, name: "__schema") || validation.isNamed(field, name: "__type") {
      validation.introspections.append(field)
    }
  }

  static func check(in validation: inout Validation) {
    let limit = validation.options.limits.introspectionLists
    var fragments = FragmentDepths(validation)
    var rejectedEnd = 0
    for field in validation.introspections where field >= rejectedEnd {
      guard fragments.depth(from: field, in: validation) >= limit else { continue }
      // Fields nested in a rejected field are not reported again.
      rejectedEnd = Int(validation.nodes[field].subtreeEnd)
      validation.violations.append(
        .limits,
        order: .entering(field),
        at: [validation.nodes[field].start],
        code: .introspectionTooDeep
      ) { "Maximum introspection depth exceeded" }
    }
  }

  /// The nesting depth of list fields, computed once for each fragment.
  private struct FragmentDepths {
    private enum Depth {
      case unknown
      case inProgress
      case known(Int)
    }
    private var depths: [Depth]

    init(_ validation: borrowing Validation) {
      depths = Array(repeating: .unknown, count: validation.fragments.count)
    }

    /// Uses an explicit stack, because chains of fragments can have any length.
    mutating func depth(from root: NodeIndex, in validation: borrowing Validation) -> Int {
      var pending: [(fragment: Int, node: NodeIndex, next: NodeIndex)] = [(-1, root, root)]
      var deepest = 0
      while let (fragment, node, next) = pending.last {
        if let spread = firstUnknown(from: next, within: node, in: validation) {
          let needed = Int(validation.selected[spread].definition)
          depths[needed] = .inProgress
          pending[pending.count - 1].next = spread + 1
          let selectionSet = validation.fragments[needed].selectionSet
          pending.append((needed, selectionSet, selectionSet))
          continue
        }
        deepest = ownDepth(of: node, in: validation)
        if fragment >= 0 { depths[fragment] = .known(deepest) }
        pending.removeLast()
      }
      return deepest
    }

    /// The first spread of a fragment whose depth is unknown.
    private func firstUnknown(
      from next: NodeIndex,
      within node: NodeIndex,
      in validation: borrowing Validation
    ) -> NodeIndex? {
      for at in next..<Int(validation.nodes[node].subtreeEnd) where validation.nodes[at].kind == .fragmentSpread {
        let fragment = Int(validation.selected[at].definition)
        if fragment >= 0, case .unknown = depths[fragment] { return at }
      }
      return nil
    }

    private func ownDepth(of node: NodeIndex, in validation: borrowing Validation) -> Int {
      var ends: [Int] = []
      var deepest = 0
      for at in node..<Int(validation.nodes[node].subtreeEnd) {
        while let end = ends.last, end <= at { ends.removeLast() }
        switch validation.nodes[at].kind {
        case .field:
          if validation.isIntrospectionList(at) { ends.append(Int(validation.nodes[at].subtreeEnd)) }
          deepest = max(deepest, ends.count)
        case .fragmentSpread:
          let fragment = Int(validation.selected[at].definition)
          if fragment >= 0, case .known(let depth) = depths[fragment] { deepest = max(deepest, ends.count + depth) }
        default: continue
        }
      }
      return deepest
    }
  }
}

extension Validation {
  func isNamed(_ node: NodeIndex, name: StaticString) -> Bool {
    let length = Int(nodes[node].nameLength)
    guard length == name.utf8CodeUnitCount else { return false }
    for offset in 0..<length where bytes[Int(nodes[node].nameStart) + offset] != name.utf8Start[offset] {
      return false
    }
    return true
  }

  fileprivate func isIntrospectionList(_ field: NodeIndex) -> Bool {
    isNamed(field, name: "fields") || isNamed(field, name: "interfaces") || isNamed(field, name: "possibleTypes")
      || isNamed(field, name: "inputFields")
  }
}
