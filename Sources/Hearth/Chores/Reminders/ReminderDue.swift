import GraphQL
import Storage

/// `reminderDue`: what is due and not answered, and then what becomes due. For a family's parents, and for whom the
/// chore is assigned to.
enum ReminderDue {
  /// How many are read at once.
  private static let maximumAtOnce: Int64 = 32

  /// Parameters: 1 the family, 2 the position after which, 3 how many.
  static let ofFamily = SQL(
    """
    SELECT due_position, id FROM reminder INDEXED BY reminder_due \
    WHERE status = 1 AND family_id = ?1 AND due_position > ?2 ORDER BY due_position LIMIT ?3
    """
  )
  /// The same of chores that are assigned to member 4.
  static let ofMember = SQL(
    """
    SELECT r.due_position, r.id FROM reminder AS r INDEXED BY reminder_due \
    WHERE r.status = 1 AND r.family_id = ?1 AND r.due_position > ?2 \
    AND EXISTS (SELECT 1 FROM assignment AS a \
    WHERE a.family_id = ?1 AND a.chore_id = r.chore_id AND a.member_id = ?4) ORDER BY r.due_position LIMIT ?3
    """
  )
  /// Parameters: 1 the family, 2 the reminder.
  static let positionForFamily = SQL(
    "SELECT due_position FROM reminder WHERE family_id = ?1 AND id = ?2 AND status = 1"
  )
  /// The same where its chore is assigned to member 3.
  static let positionForMember = SQL(
    """
    SELECT r.due_position FROM reminder AS r WHERE r.family_id = ?1 AND r.id = ?2 AND r.status = 1 \
    AND EXISTS (SELECT 1 FROM assignment AS a \
    WHERE a.family_id = ?1 AND a.chore_id = r.chore_id AND a.member_id = ?3)
    """
  )
  static let dueOfChore = SQL(
    """
    SELECT id FROM reminder INDEXED BY reminder_by_chore WHERE family_id = ?1 AND chore_id = ?2 AND status = 1 \
    ORDER BY remind_at, id
    """
  )
  static let setPosition = SQL("UPDATE reminder SET due_position = ?3 WHERE family_id = ?1 AND id = ?2")

  static let field = FieldBinding.load(needs: []) { batch, context in
    guard let reminder: GlobalID = batch.view(0, context).value() else { return }
    batch.add(0, key: reminder.rawValue)
  }

  /// Whatever is not answered comes first, wherever the client left off: what it may have seen is marked.
  static let source: SourceBinding = { _, resume, any in
    let context = request(any)
    let viewer = try context.requireViewer()
    let seen = try resume.map { try FeedPosition.read($0, context) } ?? FeedPosition.latest(context)
    return SourceStream(
      topic(of: viewer.member),
      visibility: context.standpoint,
      after: 0,
      backlog: { position, any in
        let events = try due(for: viewer, after: position ?? 0, atMost: maximumAtOnce, request(any)).map { event in
          SourceEvent(event.reminder, position: event.position, isReplay: event.position <= seen)
        }
        return SourceBacklog(events, reached: events.last?.position ?? position ?? 0)
      },
      isCurrent: { event, any in
        // It may have been answered or removed, or the chore be another's, since it became due.
        guard let reminder = event.value as? GlobalID, let due = try position(of: reminder, for: viewer, request(any))
        else { return false }
        return event.position.map { $0 == due } ?? true
      }
    )
  }

  /// What is due and not answered, in the order in which it became due.
  private static func due(
    for viewer: Viewer,
    after position: Int64,
    atMost limit: Int64,
    _ context: RequestContext
  ) throws -> [(position: Int64, reminder: GlobalID)] {
    let statement = try context.reader.statement(viewer.isChild ? ofMember : ofFamily)
    try statement.bind(1, viewer.family.rawValue)
    try statement.bind(2, position)
    try statement.bind(3, limit)
    if viewer.isChild { try statement.bind(4, viewer.member.rawValue) }
    var due: [(position: Int64, reminder: GlobalID)] = []
    try statement.forEachRow { row in due.append((row.int64(0), GlobalID(rawValue: row.int64(1)))) }
    return due
  }

  /// When a reminder became due; nil where it is not, or not for the viewer.
  private static func position(of reminder: GlobalID, for viewer: Viewer, _ context: RequestContext) throws -> Int64? {
    let statement = try context.reader.statement(viewer.isChild ? positionForMember : positionForFamily)
    try statement.bind(1, viewer.family.rawValue)
    try statement.bind(2, reminder.rawValue)
    if viewer.isChild { try statement.bind(3, viewer.member.rawValue) }
    return try statement.first { row in row.int64(0) }
  }

  private static func topic(of member: GlobalID) -> Topic { Topic("reminders", member.rawValue) }

  /// All that is due in a family.
  static func all(of family: GlobalID, _ transaction: WriteTransaction) throws -> [GlobalID] {
    let statement = try transaction.statement(ofFamily)
    try statement.bind(1, family.rawValue)
    try statement.bind(2, 0 as Int64)
    try statement.bind(3, -1 as Int64)
    var reminders: [GlobalID] = []
    try statement.forEachRow { row in reminders.append(GlobalID(rawValue: row.int64(1))) }
    return reminders
  }

  /// What is due is told to somebody for whom it was not, until now. It has been told to others, so it has no position
  /// of theirs: whoever is not listening finds it when they come.
  static func tell(_ reminders: [GlobalID], to member: GlobalID, _ transaction: WriteTransaction) {
    for reminder in reminders {
      transaction.tell(Feed.News(topic: topic(of: member), event: SourceEvent(reminder)))
    }
  }

  /// A reminder became due with this write. `parents` are all of the family.
  static func record(
    _ reminder: GlobalID,
    of chore: GlobalID,
    in family: GlobalID,
    at position: Int64,
    parents: [GlobalID],
    _ transaction: WriteTransaction
  ) throws {
    try transaction.run(setPosition, family.rawValue, reminder.rawValue, position)
    let others = try Assignment.members(of: chore, in: family, transaction).filter { !parents.contains($0) }
    for member in parents + others {
      transaction.tell(Feed.News(topic: topic(of: member), event: SourceEvent(reminder, position: position)))
    }
  }

  /// A chore was assigned to somebody with this write.
  static func tellDue(
    of chore: GlobalID,
    in family: GlobalID,
    to member: GlobalID,
    _ transaction: WriteTransaction
  ) throws {
    let finding = try transaction.statement(dueOfChore)
    try finding.bind(1, family.rawValue)
    try finding.bind(2, chore.rawValue)
    var due: [GlobalID] = []
    try finding.forEachRow { row in due.append(GlobalID(rawValue: row.int64(0))) }
    tell(due, to: member, transaction)
  }
}
