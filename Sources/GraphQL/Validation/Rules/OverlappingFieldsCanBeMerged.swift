/// Fields with the same response key can be merged: they select the same data, or have the same response shape if no
/// object can have both (specification, section 5.3.2).
///
/// Comparing all pairs of fields, as in the specification's algorithm, takes quadratic time, and more with fragments.
/// So `FieldMerging` first decides whether there is a conflict at all, by comparing each field of a group with one
/// other. Only then are the conflicts explained pair by pair.
enum OverlappingFieldsCanBeMerged {
  static func check(in validation: inout Validation) {
    guard let conflict = FieldMerging.firstConflict(in: &validation) else { return }
    let before = validation.violations.list.count
    var explanation = FieldConflicts()
    explanation.explain(in: &validation)
    if validation.violations.list.count == before && !validation.violations.isFull {
      // The budget was spent before a conflict was explained. Report at least the two fields that conflict.
      explanation.report(conflict, in: &validation)
    }
  }
}
