import GraphQL
import Storage

/// `reminderDue`: what is due and not answered, and then what becomes due. For a family's parents, and for whom the chore
/// is assigned to.
enum ReminderDue {
  /// How many are read at once.
  private static let maximumAtOnce: Int64 = 100

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
    return SourceStream(topic(of: viewer.member), visibility: viewer.member, after: 0) { position, any in
      let statement = try request(any).reader.statement(viewer.isChild ? ofMember : ofFamily)
      try statement.bind(1, viewer.family.rawValue)
      try statement.bind(2, position ?? 0)
      try statement.bind(3, maximumAtOnce)
      if viewer.isChild { try statement.bind(4, viewer.member.rawValue) }
      var events: [SourceEvent] = []
      try statement.forEachRow { row in
        let due = row.int64(0)
        events.append(SourceEvent(GlobalID(rawValue: row.int64(1)), position: due, isReplay: due <= seen))
      }
      return SourceBacklog(events, reached: events.last?.position ?? position ?? 0)
    }
  }

  private static func topic(of member: GlobalID) -> Topic { Topic("reminders", member.rawValue) }

  /// A reminder became due with this write.
  static func record(
    _ reminder: GlobalID,
    of chore: GlobalID,
    in family: GlobalID,
    _ transaction: WriteTransaction
  ) throws {
    let position = try KeySequence.nextNumber(transaction)
    try transaction.run(setPosition, family.rawValue, reminder.rawValue, position)
    var members = try Notifications.parents(of: family, transaction)
    let finding = try transaction.statement(RemoveChild.assigneesOf)
    try finding.bind(1, family.rawValue)
    try finding.bind(2, chore.rawValue)
    try finding.forEachRow { row in
      let member = GlobalID(rawValue: row.int64(0))
      if !members.contains(member) { members.append(member) }
    }
    for member in members {
      transaction.tell(Feed.News(topic: topic(of: member), event: SourceEvent(reminder, position: position)))
    }
  }
}
