import Storage

/// The reminders that become due in a write, which marks them and so is the only one that records them. What it needs
/// about all of them is read by a few statements, however many they are.
struct DueReminders {
  private struct ClosedChore: Hashable {
    let family: GlobalID
    let chore: GlobalID
  }

  private struct Item {
    let family: GlobalID
    let reminder: GlobalID
    /// The time for which it was set.
    let time: Int64
    /// The children to whom the chore is assigned. Parents receive the reminders of all chores, unless they have left
    /// the family: see `Unassignment`.
    let children: [GlobalID]
  }

  /// Leaves out reminders of repeating chores whose family's turn was due at `heldUntil` or before. PostgreSQL
  /// evaluates the subquery for each reminder, by keys, whereas it would turn NOT EXISTS into a join of whole tables.
  static let mark = SQL<(now: Timestamp, heldUntil: Timestamp, limit: Int64)>(
    """
    UPDATE reminder SET (status, delivered_at) = (\
    SELECT CASE WHEN c.status = \(ChoreStatus.open) THEN \(ReminderStatus.due) ELSE \(ReminderStatus.ignored) END, \
    CASE WHEN c.status = \(ChoreStatus.open) THEN \(\.now) END FROM chore AS c \
    WHERE c.family_id = reminder.family_id AND c.id = reminder.chore_id) WHERE (family_id, id) IN (\
    SELECT r.family_id, r.id FROM reminder AS r \(index: "reminder_scheduled") \
    WHERE r.status = \(ReminderStatus.scheduled) AND r.remind_at <= \(\.now) AND coalesce((\
    SELECT f.next_turn_at FROM chore AS c \(join: .asWritten) family AS f ON f.id = c.family_id \
    WHERE c.family_id = r.family_id AND c.id = r.chore_id AND c.series_id IS NOT NULL), 9223372036854775807) \
    > \(\.heldUntil) ORDER BY r.remind_at LIMIT \(\.limit)) \
    RETURNING family_id, id, status, remind_at, chore_id, (SELECT c.assignees FROM chore AS c \
    WHERE c.family_id = reminder.family_id AND c.id = reminder.chore_id)
    """
  )

  /// In the order of their times.
  private let items: [Item]
  /// Chores that were not open any more, whose reminders are therefore ignored.
  private let closedChores: [ClosedChore]
  /// Whether there may be more.
  let isCutOff: Bool

  /// Marks the reminders whose time has come: the earliest ones, at most `limit`.
  ///
  /// - Parameter waitsForTurns: whether those of repeating chores wait for the due turns of their families.
  init(waitsForTurns: Bool, atMost limit: Int64, in write: DatedWrite) throws {
    var items: [Item] = []
    var closedChores: Set<ClosedChore> = []
    var count = 0
    let heldUntil = waitsForTurns ? write.now : Timestamp(.min)
    try write.reader.forEachRow(of: Self.mark, (now: write.now, heldUntil: heldUntil, limit: limit)) { row in
      count += 1
      let family = row.key(0)
      guard row.int64(2) == ReminderStatus.due.stored else {
        closedChores.insert(ClosedChore(family: family, chore: row.key(4)))
        return
      }
      var children: [GlobalID] = []
      KeyList.forEach(in: row.blob(5)) { member in if member.kind == .child { children.append(member) } }
      items.append(
        Item(
          family: family,
          reminder: row.key(1),
          time: row.int64(3),
          children: children
        )
      )
    }
    self.items = items.sorted { ($0.time, $0.reminder.rawValue) < ($1.time, $1.reminder.rawValue) }
    self.closedChores = closedChores.sorted { $0.chore.rawValue < $1.chore.rawValue }
    isCutOff = count >= limit
  }

  /// The times for which they were set.
  var times: [Int64] { items.map(\.time) }

  /// Publishes each reminder to the parents of its family and to the children to whom its chore is assigned. Parents
  /// also receive a notification, whereas the devices of children receive the reminder itself. An ignored reminder
  /// changes its chore.
  func record(in write: DatedWrite) throws {
    for closed in closedChores {
      write.inFamily(closed.family).record(.choreChanged, subject: closed.chore)
    }
    guard !items.isEmpty else { return }
    let parents = try FamilyMember.parents(of: Set(items.map(\.family)), from: write.reader)
    let count = items.reduce(0) { count, item in count + (parents[item.family]?.count ?? 0) }
    var keys = try KeySequence.next(count, of: .reminderNotification, in: write.transaction)[...]
    let recipients = Set(parents.values.joined()).union(items.flatMap(\.children))
    let devices = try MemberDevices(of: recipients, at: write.now, from: write.reader)
    for item in items {
      let parents = parents[item.family] ?? []
      ReminderDue.enter(item.reminder, for: parents + item.children, in: write.inFamily(item.family))
      for child in item.children { try devices.push(item.reminder, to: child, in: write) }
      for (parent, key) in zip(parents, keys) {
        let notification = NotificationRow(recipient: parent, id: key, subject: item.reminder, createdAt: write.now)
        try Notifications.insert(notification, of: item.family, to: devices, in: write)
      }
      keys = keys.dropFirst(parents.count)
    }
  }
}
