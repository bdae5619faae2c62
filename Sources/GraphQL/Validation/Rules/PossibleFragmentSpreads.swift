/// A fragment is spread only if its type condition and the parent type have a common possible type (specification,
/// section 5.5.2.3).
enum PossibleFragmentSpreads {
  static func check(inlineFragment: NodeIndex, of type: Int, on parent: Int, in validation: inout Validation) {
    if !validation.index.overlap(type, parent) {
      report(inlineFragment, name: "", type: type, parent: parent, in: &validation)
    }
  }

  static func check(spread: NodeIndex, of type: Int, on parent: Int, in validation: inout Validation) {
    guard type >= 0, validation.index.types[type].isComposite else { return }
    if !validation.index.overlap(type, parent) {
      report(spread, name: " \"\(validation.name(spread))\"", type: type, parent: parent, in: &validation)
    }
  }

  @inline(never)
  private static func report(
    _ node: NodeIndex,
    name: String,
    type: Int,
    parent: Int,
    in validation: inout Validation
  ) {
    let (type, parent) = (validation.typeName(type), validation.typeName(parent))
    validation.report(.possibleFragmentSpreads, at: node) {
      "Fragment\(name) cannot be spread here as objects of type \"\(parent)\" can never be of type \"\(type)\"."
    }
  }
}
