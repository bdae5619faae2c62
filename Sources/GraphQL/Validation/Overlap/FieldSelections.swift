/// The fields of a selection set by response key, and the fragments that it spreads.
final class FieldSelections {
  private(set) var keys: [String] = []
  private(set) var fields: [String: [NodeIndex]] = [:]
  /// The fragments without repetitions.
  private(set) var fragments: [Int] = []

  /// - Parameter set: The selection set, in the document of the validation.
  init(of set: NodeIndex, in validation: inout Validation) {
    var isSpread: Set<Int> = []
    collect(set, isSpread: &isSpread, in: &validation)
  }

  private func collect(_ set: NodeIndex, isSpread: inout Set<Int>, in validation: inout Validation) {
    for selection in validation.document.children(of: set) {
      guard validation.spend() else { return }
      switch validation.nodes[selection].kind {
      case .field:
        let key = validation.document.responseKey(of: selection)
        if fields[key] == nil { keys.append(key) }
        fields[key, default: []].append(selection)
      case .inlineFragment:
        if let inner = validation.document.firstChild(of: selection, .selectionSet) {
          collect(inner, isSpread: &isSpread, in: &validation)
        }
      default:
        let fragment = Int(validation.selected[selection].definition)
        if fragment >= 0, isSpread.insert(fragment).inserted { fragments.append(fragment) }
      }
    }
  }
}
