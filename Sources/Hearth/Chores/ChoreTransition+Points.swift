import Storage

/// Points for a chore that do not approve it.
extension ChoreTransition {
  typealias Gain = (family: GlobalID, chore: GlobalID, now: Timestamp, points: Int64)

  static let addPoints = SQL<Gain>(
    """
    UPDATE chore SET updated_at = \(\.now), approved_points = coalesce(approved_points, 0) + \(\.points) \
    WHERE family_id = \(\.family) AND id = \(\.chore)
    """
  )

  /// Adds the points that one child is given for a done chore while another child awaits approval. They count in the
  /// chore's sum, whether they are given before the approval or after it.
  static func addPoints(_ points: Int64, to chore: GlobalID, in write: FamilyWrite) throws {
    try write.transaction.run(addPoints, (family: write.family, chore: chore, now: write.now, points: points))
    write.record(.choreChanged, subject: chore)
  }
}
