/// Fields that answer under the same response key select the same thing, or at least things of the same shape where no
/// object can have both (specification, section 5.3.2).
///
/// Comparing every field with every other, as the specification words it, costs the square of a document, and with
/// fragments more. So whether there is a conflict at all is first decided by `FieldMerging`, which compares each field
/// of a group with one other; only then are the conflicts explained pair by pair.
enum OverlappingFieldsCanBeMerged {
  static func check(in validation: inout Validation) {
    guard let conflict = FieldMerging.firstConflict(in: &validation) else { return }
    let before = validation.violations.list.count
    var explanation = FieldConflicts()
    explanation.explain(in: &validation)
    if validation.violations.list.count == before && !validation.violations.isFull {
      // The explanation was too dear: tell at least of the two fields that do not go together.
      explanation.report(conflict, in: &validation)
    }
  }
}
