import GraphQL
import Storage

/// A change in a family, or in the account of a member.
struct FeedEvent: Sendable {
  /// Raw values are stored, so they never change. The name of a case is that of its object type in the schema.
  enum Kind: Int64, NumberedCase, CaseIterable, SchemaNamed {
    // Of families (`FamilyWrite.record`).
    case childChanged, childRemoved, choreChanged, choreRemoved, pointsAssigned, contractChanged, itemChanged,
      itemRemoved, parentJoined, parentLeft, pointsChanged,
      parentChanged, familyChanged
    // Of accounts (`DatedWrite.record`).
    case accountChanged, notificationsRead, contactChanged, contactRemoved, contactRequestChanged,
      contactRequestRemoved, groupChanged, groupRemoved
  }

  let kind: Kind
  let subject: GlobalID
  /// The finished chores that points were assigned for, or the children to whom due reminders of a chore were published
  /// because it was assigned to them.
  var details: [GlobalID] = []

  static let kept = SQL<(log: GlobalID, after: Int64, limit: Int64)>(
    """
    SELECT position, kind, subject_id, details FROM family_event \
    WHERE family_id = \(\.log) AND position > \(\.after) ORDER BY position LIMIT \(\.limit)
    """
  )

  static let familyTopicName = "family"
  static let accountTopicName = "account"

  /// The key of a topic of events is that of their log.
  static func topic(of family: GlobalID) -> Topic {
    Topic(familyTopicName, key: family.rawValue, log: family.rawValue)
  }

  /// The topic of a member's account. Its events have positions of the member's family.
  static func topic(ofAccount member: GlobalID, in family: GlobalID) -> Topic {
    Topic(accountTopicName, key: member.rawValue, log: family.rawValue)
  }

  /// The next events after a position, for their topic.
  @Sendable static func entries(
    of topic: Topic,
    in _: GlobalID,
    after position: Int64,
    atMost limit: Int64,
    from reader: Reader
  ) throws -> [[FeedReading.Entry]] {
    let log = GlobalID(rawValue: topic.key)
    let events = try kept(in: log, after: position, atMost: limit, from: reader)
    return [events.map { event in (event.position ?? 0, [Feed.Publication(topic: topic, event: event)]) }]
  }

  /// The next events after a position.
  ///
  /// - Parameter log: a family, or a member whose account it is.
  static func kept(
    in log: GlobalID,
    after position: Int64,
    atMost limit: Int64,
    from reader: Reader
  ) throws -> [SourceEvent] {
    var events: [SourceEvent] = []
    try reader.forEachRow(of: kept, (log: log, after: position, limit: limit)) { row in
      guard let kind = Kind(rawValue: row.int64(1)) else { return }
      var details: [GlobalID] = []
      KeyList.forEach(in: row.blob(3)) { details.append($0) }
      let event = FeedEvent(kind: kind, subject: row.key(2), details: details)
      events.append(SourceEvent(event, position: row.int64(0)))
    }
    return events
  }
}
