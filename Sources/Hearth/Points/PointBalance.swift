import Storage

/// A row of `point_balance`: the sums of an adult's entries in a family. Triggers of `point_entry` keep it.
struct PointBalance: Sendable {
  var family: GlobalID
  var member: GlobalID
  var points: Int64
  /// The sum of the entries of the kinds `opening`, `chore` and `correction`.
  var achievementPoints: Int64

  static let table = Table<PointBalance>(
    "point_balance",
    [
      Column("family_id", \.family),
      Column("member_id", \.member),
      Column("points", \.points),
      Column("achievement_points", \.achievementPoints),
    ]
  )
}
