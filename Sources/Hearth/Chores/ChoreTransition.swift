import Storage

/// Transitions of a chore's status. Each writes everything that follows from it: the rows of `assignment`, the chore's
/// reminders, and the event for subscribers. Those named `set…` and `unarchive` record no event, and of them
/// only `setStatus` settles reminders. Nothing else changes these columns of a stored chore.
enum ChoreTransition {
  typealias Change = (family: GlobalID, chore: GlobalID, now: Timestamp)
  typealias DoneParameters = (family: GlobalID, chore: GlobalID, now: Timestamp, finishedBy: GlobalID?)
  typealias ApprovalParameters = (family: GlobalID, chore: GlobalID, now: Timestamp, parent: GlobalID, points: Int64?)
  typealias SendBackParameters = (family: GlobalID, chore: GlobalID, now: Timestamp, parent: GlobalID, comment: String)

  /// Clears the columns that record how a chore was finished and approved.
  private static let unfinished = """
    finished_by = NULL, finished_at = NULL, awaits_approval = 0, \
    approved_by = NULL, approved_at = NULL, approved_points = NULL
    """

  /// A child's finished chore awaits the response of an adult.
  private static func awaitsApproval<Parameters>(
    finishedBy member: SQLFragment<Parameters>
  ) -> SQLFragment<Parameters> {
    "CASE WHEN \(Kind.child.isKind(of: member)) THEN 1 ELSE 0 END"
  }

  static let setDone = SQL<DoneParameters>(
    """
    UPDATE chore SET status = \(ChoreStatus.done), updated_at = \(\.now), finished_by = \(\.finishedBy), \
    finished_at = \(\.now), awaits_approval = \(awaitsApproval(finishedBy: "\(\.finishedBy)")), \
    approved_by = NULL, approved_at = NULL, approved_points = NULL, returned_by = NULL, return_comment = NULL \
    WHERE family_id = \(\.family) AND id = \(\.chore) AND status = \(ChoreStatus.open)
    """
  )
  static let setArchived = SQL<Change>(
    """
    UPDATE chore SET status = \(ChoreStatus.archived), updated_at = \(\.now), awaits_approval = 0 \
    WHERE family_id = \(\.family) AND id = \(\.chore)
    """
  )
  static let setOpen = SQL<Change>(
    """
    UPDATE chore SET status = \(ChoreStatus.open), updated_at = \(\.now), \(sql: unfinished) \
    WHERE family_id = \(\.family) AND id = \(\.chore)
    """
  )
  /// Restores a chore that was done before it was archived: who did it, and its approval, are still known. Without a
  /// parent's response, a child's chore awaits approval again.
  static let restoreDone = SQL<Change>(
    """
    UPDATE chore SET status = \(ChoreStatus.done), updated_at = \(\.now), awaits_approval = CASE \
    WHEN approved_by IS NOT NULL THEN 0 ELSE \(awaitsApproval(finishedBy: "finished_by")) END \
    WHERE family_id = \(\.family) AND id = \(\.chore) AND status = \(ChoreStatus.archived) \
    AND finished_at IS NOT NULL
    """
  )
  static let unarchive = SQL<ChoreKey>(
    """
    UPDATE chore SET status = \(ChoreStatus.open) \
    WHERE family_id = \(\.family) AND id = \(\.chore) AND status = \(ChoreStatus.archived)
    """
  )
  static let setApproved = SQL<ApprovalParameters>(
    """
    UPDATE chore SET updated_at = \(\.now), awaits_approval = 0, approved_by = \(\.parent), \
    approved_at = \(\.now), approved_points = coalesce(approved_points, 0) + coalesce(\(\.points), 0) \
    WHERE family_id = \(\.family) AND id = \(\.chore)
    """
  )
  static let sendBack = SQL<SendBackParameters>(
    """
    UPDATE chore SET status = \(ChoreStatus.open), updated_at = \(\.now), \(sql: unfinished), \
    returned_by = \(\.parent), return_comment = \(\.comment) \
    WHERE family_id = \(\.family) AND id = \(\.chore)
    """
  )

  /// Marks an open chore as done. Its due reminders count as ignored by `member`. Has no effect on a chore that is not
  /// open. A chore that a child marks as done awaits approval, and the parents are notified.
  ///
  /// - Parameter performer: the member who did the chore. Nil if it is `member`.
  /// - Returns: false when the chore was not open.
  @discardableResult
  static func finish(
    _ chore: GlobalID,
    by member: GlobalID,
    for performer: GlobalID? = nil,
    in write: FamilyWrite
  ) throws -> Bool {
    guard try setDone(chore, by: performer ?? member, in: write) else { return false }
    try Reminder.ignoreDue(of: chore, by: member, in: write)
    write.record(.choreChanged, subject: chore)
    guard member.kind == .child else { return true }
    try write.notify(
      FamilyMember.parents(of: write.family, from: write.reader),
      kind: .choreFinishedNotification,
      about: chore,
      by: member
    )
    return true
  }

  /// Writes only the rows, without an event. Returns false when the chore was not open.
  @discardableResult
  static func setDone(_ chore: GlobalID, by member: GlobalID?, in write: FamilyWrite) throws -> Bool {
    try write.transaction.run(setDone, (family: write.family, chore: chore, now: write.now, finishedBy: member))
    guard write.transaction.changedRows > 0 else { return false }
    try Assignment.update(with: chore, in: write)
    return true
  }

  /// Records the approval of a done chore, with or without points. Its status does not change.
  ///
  /// - Parameter performer: the member who did the chore and awaits the approval. They are notified.
  static func approve(
    _ chore: GlobalID,
    by parent: GlobalID,
    points: Int64?,
    awaitedBy performer: GlobalID?,
    in write: FamilyWrite
  ) throws {
    try setApproved(chore, by: parent, points: points, awaitedBy: performer, in: write)
    write.record(.choreChanged, subject: chore)
  }

  /// The same without an event.
  static func setApproved(
    _ chore: GlobalID,
    by parent: GlobalID,
    points: Int64?,
    awaitedBy performer: GlobalID?,
    in write: FamilyWrite
  ) throws {
    try write.transaction.run(
      setApproved,
      (family: write.family, chore: chore, now: write.now, parent: parent, points: points)
    )
    try notify(performer, kind: .choreApprovedNotification, about: chore, by: parent, in: write)
  }

  /// Reopens a chore that awaits approval, with a parent's comment.
  static func sendBack(
    _ chore: GlobalID,
    by parent: GlobalID,
    awaitedBy performer: GlobalID?,
    comment: String,
    in write: FamilyWrite
  ) throws {
    try write.transaction.run(
      sendBack,
      (family: write.family, chore: chore, now: write.now, parent: parent, comment: comment)
    )
    try notify(performer, kind: .choreReturnedNotification, about: chore, by: parent, in: write)
    try Assignment.update(with: chore, in: write)
    write.record(.choreChanged, subject: chore)
  }

  /// Notifies the member who did a chore of a parent's response, unless it is their own, or they have left the family.
  private static func notify(
    _ performer: GlobalID?,
    kind: Kind,
    about chore: GlobalID,
    by parent: GlobalID,
    in write: FamilyWrite
  ) throws {
    guard let performer, performer != parent,
      try FamilyMember.exists(performer, of: write.family, from: write.reader)
    else { return }
    try write.notify([performer], kind: kind, about: chore, by: parent)
  }

  /// Sets the status that a parent chose, without an event: the caller records one for all its changes. The due
  /// reminders of a chore that is then not open count as ignored by `member`.
  static func setStatus(_ status: ChoreStatus, of chore: GlobalID, by member: GlobalID, in write: FamilyWrite) throws {
    switch status {
    case .open: try setOpen(chore, in: write)
    case .done:
      try unarchive(chore, in: write)
      try setDone(chore, by: member, in: write)
    case .archived: try setArchived(chore, in: write)
    }
    guard status != .open else { return }
    try Reminder.ignoreDue(of: chore, by: member, in: write)
  }

  /// Restores an archived chore as it was when it was archived, done or open, so that it can be finished. Writes only
  /// the rows. Has no effect on a chore that is not archived.
  static func unarchive(_ chore: GlobalID, in write: FamilyWrite) throws {
    try write.transaction.run(restoreDone, (family: write.family, chore: chore, now: write.now))
    if write.transaction.changedRows > 0 {
      try Assignment.update(with: chore, in: write)
    } else {
      try write.transaction.run(unarchive, (family: write.family, chore: chore))
    }
  }

  /// Archives a chore of an earlier period and settles its reminders. Returns their number.
  static func archive(_ chore: GlobalID, in write: FamilyWrite) throws -> Int {
    try setArchived(chore, in: write)
    let reminders = try Reminder.ignoreAll(of: chore, in: write)
    write.record(.choreChanged, subject: chore)
    return reminders
  }

  /// Writes only the rows, without an event.
  static func setArchived(_ chore: GlobalID, in write: FamilyWrite) throws {
    try write.transaction.run(setArchived, (family: write.family, chore: chore, now: write.now))
    try Assignment.update(with: chore, in: write)
  }

  /// Reopens a chore that was archived or marked as done by mistake.
  static func reopen(_ chore: GlobalID, in write: FamilyWrite) throws {
    try setOpen(chore, in: write)
    write.record(.choreChanged, subject: chore)
  }

  /// Writes only the rows, without an event.
  private static func setOpen(_ chore: GlobalID, in write: FamilyWrite) throws {
    try write.transaction.run(setOpen, (family: write.family, chore: chore, now: write.now))
    try Assignment.update(with: chore, in: write)
  }
}
