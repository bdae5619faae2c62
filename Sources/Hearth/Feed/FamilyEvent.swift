import GraphQL
import Storage

/// A change in a family.
struct FamilyEvent: Sendable {
  /// Raw values are stored, so they never change. The name of a case is that of its object type in the schema.
  enum Kind: Int64, NumberedCase, CaseIterable, SchemaNamed {
    case childChanged, childRemoved, choreChanged, choreRemoved, pointsAssigned, contractChanged, itemChanged,
      itemRemoved, parentJoined, parentLeft, pointsChanged,
      parentChanged, familyChanged
  }

  let kind: Kind
  let subject: GlobalID
  /// The finished chores that points were assigned for, or the children to whom due reminders of a chore were published
  /// because it was assigned to them.
  let details: [GlobalID]

  static let kept = SQL<(family: GlobalID, after: Int64, limit: Int64)>(
    """
    SELECT position, kind, subject_id, details FROM family_event \
    WHERE family_id = \(\.family) AND position > \(\.after) ORDER BY position LIMIT \(\.limit)
    """
  )

  static let topicName = "family"

  static func topic(of family: GlobalID) -> Topic {
    Topic(topicName, key: family.rawValue, log: family.rawValue)
  }

  /// The next events of a family after a position, for its topic.
  @Sendable static func entries(
    of topic: Topic,
    in family: GlobalID,
    after position: Int64,
    atMost limit: Int64,
    from reader: Reader
  ) throws -> [[FeedReading.Entry]] {
    let events = try kept(of: family, after: position, atMost: limit, from: reader)
    return [events.map { event in (event.position ?? 0, [Feed.Publication(topic: topic, event: event)]) }]
  }

  /// The next events of a family after a position.
  static func kept(
    of family: GlobalID,
    after position: Int64,
    atMost limit: Int64,
    from reader: Reader
  ) throws -> [SourceEvent] {
    var events: [SourceEvent] = []
    try reader.forEachRow(of: kept, (family: family, after: position, limit: limit)) { row in
      guard let kind = Kind(rawValue: row.int64(1)) else { return }
      var details: [GlobalID] = []
      KeyList.forEach(in: row.blob(3)) { details.append($0) }
      let event = FamilyEvent(kind: kind, subject: row.key(2), details: details)
      events.append(SourceEvent(event, position: row.int64(0)))
    }
    return events
  }
}
