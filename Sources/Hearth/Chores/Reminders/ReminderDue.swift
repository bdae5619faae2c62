import GraphQL
import Storage

/// `reminderDue`: first the reminders that are due and not answered, then those that become due. Parents receive all of
/// their family, children those of the chores that are assigned to them.
enum ReminderDue {
  /// The number of reminders in one batch of the backlog.
  private static let maximumAtOnce: Int64 = 32

  static let ofFamily = SQL<(family: GlobalID, after: Int64, limit: Int64)>(
    """
    SELECT due_position, id FROM reminder \(index: "reminder_due") \
    WHERE status = \(ReminderStatus.due) AND family_id = \(\.family) AND due_position > \(\.after) \
    ORDER BY due_position LIMIT \(\.limit)
    """
  )
  /// The same, restricted to chores that are assigned to a member.
  static let ofMember = SQL<(family: GlobalID, member: GlobalID, after: Int64, limit: Int64)>(
    """
    SELECT r.due_position, r.id FROM reminder AS r \(index: "reminder_due") \
    WHERE r.status = \(ReminderStatus.due) AND r.family_id = \(\.family) AND r.due_position > \(\.after) \
    AND EXISTS (SELECT 1 FROM assignment AS a \
    WHERE a.family_id = \(\.family) AND a.chore_id = r.chore_id AND a.member_id = \(\.member)) \
    ORDER BY r.due_position LIMIT \(\.limit)
    """
  )
  static let positionForFamily = SQL<(family: GlobalID, reminder: GlobalID)>(
    """
    SELECT due_position FROM reminder \
    WHERE family_id = \(\.family) AND id = \(\.reminder) AND status = \(ReminderStatus.due)
    """
  )
  /// The same, if the chore is assigned to a member.
  static let positionForMember = SQL<(family: GlobalID, member: GlobalID, reminder: GlobalID)>(
    """
    SELECT r.due_position FROM reminder AS r \
    WHERE r.family_id = \(\.family) AND r.id = \(\.reminder) AND r.status = \(ReminderStatus.due) \
    AND EXISTS (SELECT 1 FROM assignment AS a \
    WHERE a.family_id = \(\.family) AND a.chore_id = r.chore_id AND a.member_id = \(\.member))
    """
  )
  static let dueOfChore = SQL<ChoreKey>(
    """
    SELECT due_position, id FROM reminder \(index: "reminder_by_chore") \
    WHERE family_id = \(\.family) AND chore_id = \(\.chore) AND status = \(ReminderStatus.due) ORDER BY remind_at, id
    """
  )
  static let setPosition = SQL<(reminder: GlobalID, place: FeedPlace)>(
    """
    UPDATE reminder SET due_position = \(FeedPlace.position, of: \.place) \
    WHERE family_id = \(\.place.family) AND id = \(\.reminder)
    """
  )

  static let field = FieldBinding.load(needs: []) { batch, context in
    guard let reminder: GlobalID = batch.view(0, in: context).value() else { return }
    batch.add(0, key: reminder.rawValue)
  }

  /// The backlog contains all unanswered reminders, whatever the resume position is. Those that the client may have
  /// seen are marked as replayed.
  static let source: SourceBinding = { _, resume, any in
    let context = request(any)
    let viewer = try context.requireViewer()
    let seen =
      try resume.map { try FeedPosition.read($0, for: viewer, in: context) }
      ?? FeedPosition.latest(for: viewer, in: context)
    return SourceStream(
      topic(of: viewer.member, in: viewer.family),
      visibility: context.visibility,
      caller: viewer.session,
      after: 0,
      backlog: { position, any in
        let reminders = try due(for: viewer, after: position ?? 0, atMost: maximumAtOnce, in: request(any))
        let events = reminders.map { due in
          SourceEvent(due.reminder, position: due.position, isReplay: due.position <= seen)
        }
        return SourceBacklog(events, reached: reminders.last?.position ?? position ?? 0)
      },
      isCurrent: { event, any in
        // Since it became due, the reminder may have been answered or removed, or the chore assigned to others.
        guard let reminder = event.value as? GlobalID,
          let due = try position(of: reminder, for: viewer, in: request(any))
        else { return false }
        return event.position.map { $0 == due } ?? true
      }
    )
  }

  /// The reminders that are due and not answered, in the order in which they became due.
  private static func due(
    for viewer: Viewer,
    after position: Int64,
    atMost limit: Int64,
    in context: RequestContext
  ) throws -> [(position: Int64, reminder: GlobalID)] {
    let (family, member) = (viewer.family, viewer.member)
    if viewer.isChild {
      let parameters = (family: family, member: member, after: position, limit: limit)
      return try context.reader.all(of: ofMember, parameters, dueReminder)
    }
    return try context.reader.all(of: ofFamily, (family: family, after: position, limit: limit), dueReminder)
  }

  /// The due reminders of a chore, in the order of their times.
  private static func due(
    of chore: GlobalID,
    in family: GlobalID,
    from reader: Reader
  ) throws -> [(position: Int64, reminder: GlobalID)] {
    try reader.all(of: dueOfChore, (family: family, chore: chore), dueReminder)
  }

  private static func dueReminder(_ row: Row) -> (position: Int64, reminder: GlobalID) {
    (row.int64(0), row.key(1))
  }

  /// The position at which a reminder became due; nil when it is not due, or not visible to the viewer.
  private static func position(of reminder: GlobalID, for viewer: Viewer, in context: RequestContext) throws -> Int64? {
    let (family, member) = (viewer.family, viewer.member)
    if viewer.isChild {
      let parameters = (family: family, member: member, reminder: reminder)
      return try context.reader.number(of: positionForMember, parameters)
    }
    return try context.reader.number(of: positionForFamily, (family: family, reminder: reminder))
  }

  static let topicName = "reminders"

  private static func topic(of member: GlobalID, in family: GlobalID) -> Topic {
    Topic(topicName, key: member.rawValue, log: family.rawValue)
  }

  /// All due reminders of a family.
  static func all(of family: GlobalID, from reader: Reader) throws -> [GlobalID] {
    try reader.all(of: ofFamily, (family: family, after: 0, limit: .max), dueReminder).map(\.reminder)
  }

  /// Gives a due reminder the next position of its family, and publishes it to `members`.
  static func enter(_ reminder: GlobalID, for members: [GlobalID], in write: FamilyWrite) {
    // The transaction keeps the closures, so they must not keep the transaction.
    let family = write.family
    FeedEntries.append(to: family, in: write.transaction) { place, transaction in
      try transaction.run(setPosition, (reminder: reminder, place: place))
    } publish: { position, events in
      let event = SourceEvent(reminder, position: position)
      for member in members { events.append(Feed.Publication(topic: topic(of: member, in: family), event: event)) }
    }
  }

  /// The due reminders of a chore, for a child to whom it was assigned later. Such events have no position, because
  /// theirs was used for the other members: they accompany the change of the chore, whose details name the child. A
  /// child who is not subscribed gets them in the backlog of the next subscription.
  static func dueLater(
    of chore: GlobalID,
    in family: GlobalID,
    for child: GlobalID,
    from reader: Reader
  ) throws -> [Feed.Publication] {
    try due(of: chore, in: family, from: reader).map { due in
      Feed.Publication(topic: topic(of: child, in: family), event: SourceEvent(due.reminder))
    }
  }

  /// The next reminders of a member that have become due after a position, and for a child those of chores that were
  /// assigned to it later. Each is published once: a reminder that was due before the assignment only with this change.
  @Sendable static func entries(
    of topic: Topic,
    in family: GlobalID,
    after position: Int64,
    atMost limit: Int64,
    from reader: Reader
  ) throws -> [[FeedReading.Entry]] {
    let member = GlobalID(rawValue: topic.key)
    guard member.kind == .child else {
      let due = try reader.all(of: ofFamily, (family: family, after: position, limit: limit), dueReminder)
      return [due.map { due in entry(of: due, for: topic) }]
    }
    let parameters = (family: family, member: member, after: position, limit: limit)
    let due = try reader.all(of: ofMember, parameters, dueReminder)
    var assignedLater: Set<GlobalID> = []
    var later: [FeedReading.Entry] = []
    for change in try FeedEvent.kept(in: family, after: position, atMost: limit, from: reader) {
      var publications: [Feed.Publication] = []
      let changed = change.position ?? 0
      if let event = change.value as? FeedEvent, event.kind == .choreChanged, event.details.contains(member) {
        let earlier = try self.due(of: event.subject, in: family, from: reader).filter { $0.position < changed }
        for due in earlier where assignedLater.insert(due.reminder).inserted {
          publications.append(Feed.Publication(topic: topic, event: SourceEvent(due.reminder)))
        }
      }
      later.append((changed, publications))
    }
    let entries: [FeedReading.Entry] = due.map { due in
      guard !assignedLater.contains(due.reminder) else { return (due.position, []) }
      return entry(of: due, for: topic)
    }
    return [entries, later]
  }

  private static func entry(of due: (position: Int64, reminder: GlobalID), for topic: Topic) -> FeedReading.Entry {
    let event = SourceEvent(due.reminder, position: due.position)
    return (due.position, [Feed.Publication(topic: topic, event: event)])
  }
}
