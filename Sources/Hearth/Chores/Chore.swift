import Storage

/// A row of `chore`. The defaults of the properties are the values of a new chore.
struct Chore: StoredRow {
  var family: GlobalID
  var id: GlobalID
  var name: String
  /// The normalized name, for comparison: see `NameKey`.
  var nameKey: String
  var notes: String?
  var image: Int64?
  var priority: Int64 = 5
  var dueAt: Timestamp?
  var frequency = Frequency.once
  var status = ChoreStatus.open
  /// The members to whom the chore is assigned, who also have rows of `assignment`.
  var assignees: KeyList
  var createdBy: GlobalID
  var createdAt: Timestamp
  var updatedAt: Timestamp
  var removedAt: Timestamp?
  /// For a repeating chore: its period, the occurrence it was copied from, and its series. See `Repetition`.
  var period: String?
  var copiedFrom: GlobalID?
  var series: Int64?
  /// Whether the next occurrence is copied from this one.
  var repeats = false
  var dueDay: Int64?
  var dueTime: Int64?
  /// The member who did a chore that is done. Nil where that is unknown.
  var finishedBy: GlobalID?
  var finishedAt: Timestamp?
  /// Whether a child finished it and no parent has responded.
  var awaitsApproval = false
  /// The parent who approved it or gave points for it last.
  var approvedBy: GlobalID?
  var approvedAt: Timestamp?
  /// The sum of the points that were given for it since it was finished.
  var approvedPoints: Int64?
  /// The parent who sent back an open chore.
  var returnedBy: GlobalID?
  var returnComment: String?

  static let table = Table<Chore>(
    "chore",
    onFailure: .failWrite,
    [
      Column("family_id", \.family),
      Column("id", \.id),
      Column("name", \.name),
      Column("name_key", \.nameKey),
      Column("notes", \.notes),
      Column("image", \.image),
      Column("priority", \.priority),
      Column("due_at", \.dueAt),
      Column("frequency", \.frequency),
      Column("status", \.status),
      Column("assignees", \.assignees),
      Column("created_by", \.createdBy),
      Column("created_at", \.createdAt),
      Column("updated_at", \.updatedAt),
      Column("removed_at", \.removedAt),
      Column("period", \.period),
      Column("copied_from", \.copiedFrom),
      Column("series_id", \.series),
      Column("repeats", \.repeats),
      Column("due_day", \.dueDay),
      Column("due_time", \.dueTime),
      Column("finished_by", \.finishedBy),
      Column("finished_at", \.finishedAt),
      Column("awaits_approval", \.awaitsApproval),
      Column("approved_by", \.approvedBy),
      Column("approved_at", \.approvedAt),
      Column("approved_points", \.approvedPoints),
      Column("returned_by", \.returnedBy),
      Column("return_comment", \.returnComment),
    ]
  )

  /// How far an occurrence is: what a copy does not take over, and only `ChoreTransition` changes.
  static func unstarted<Parameters>() -> [Replacement<Chore, Parameters>] {
    [
      .replacing(\.status, with: "\(ChoreStatus.open)"),
      .replacing(\.finishedBy, with: "NULL"),
      .replacing(\.finishedAt, with: "NULL"),
      .replacing(\.awaitsApproval, with: "0"),
      .replacing(\.approvedBy, with: "NULL"),
      .replacing(\.approvedAt, with: "NULL"),
      .replacing(\.approvedPoints, with: "NULL"),
      .replacing(\.returnedBy, with: "NULL"),
      .replacing(\.returnComment, with: "NULL"),
    ]
  }
}

/// Checks for chores that exist: they belong to the family and are not removed.
extension Chore {
  static let exists = SQL<ChoreKey>(
    "SELECT 1 FROM chore WHERE family_id = \(\.family) AND id = \(\.chore) AND removed_at IS NULL"
  )

  static func exists(_ chore: GlobalID?, of family: GlobalID, from reader: Reader) throws -> Bool {
    guard let chore else { return false }
    return try reader.hasRow(exists, (family: family, chore: chore))
  }

  static func notFound(_ field: [String]) -> UserError {
    UserError(field: field, code: .notFound, message: "No chore of the family has this id.")
  }
}

/// Identifies a row of `chore`.
typealias ChoreKey = (family: GlobalID, chore: GlobalID)
