import GraphQL
import Storage

/// Something that changed in a family.
struct FamilyEvent: Sendable {
  /// A raw value is part of every database, so it never changes.
  enum Kind: Int64, Sendable, CaseIterable {
    case childChanged, childRemoved, choreChanged, choreRemoved, pointsAssigned, contractChanged, itemChanged,
      itemRemoved, parentJoined, parentLeft

    /// The object type of the schema.
    var typeName: String {
      switch self {
      case .childChanged: "ChildChanged"
      case .childRemoved: "ChildRemoved"
      case .choreChanged: "ChoreChanged"
      case .choreRemoved: "ChoreRemoved"
      case .pointsAssigned: "PointsAssigned"
      case .contractChanged: "ContractChanged"
      case .itemChanged: "ItemChanged"
      case .itemRemoved: "ItemRemoved"
      case .parentJoined: "ParentJoined"
      case .parentLeft: "ParentLeft"
      }
    }
  }

  let kind: Kind
  let subject: GlobalID
  /// The finished chores that points were assigned for.
  let details: [GlobalID]

  static let insert = SQL(
    """
    INSERT INTO family_event (family_id, position, kind, subject_id, details, recorded_at) \
    VALUES (?1, ?2, ?3, ?4, ?5, ?6)
    """
  )
  /// Parameters: 1 the family, 2 the position after which, 3 how many.
  static let kept = SQL(
    """
    SELECT position, kind, subject_id, details FROM family_event WHERE family_id = ?1 AND position > ?2 \
    ORDER BY position LIMIT ?3
    """
  )

  static func topic(of family: GlobalID) -> Topic { Topic("family", family.rawValue) }

  /// Keeps it with the write that made it so, and tells of it when that is on the disk. `position` is for those who
  /// have taken it from the sequence already, together with the subject's key.
  static func record(
    _ kind: Kind,
    _ subject: GlobalID,
    details: [GlobalID] = [],
    of family: GlobalID,
    at now: Int64,
    position: Int64? = nil,
    _ transaction: WriteTransaction
  ) throws {
    let position = try position ?? KeySequence.nextNumber(transaction)
    let statement = try transaction.statement(insert)
    try statement.bind(1, family.rawValue)
    try statement.bind(2, position)
    try statement.bind(3, kind.rawValue)
    try statement.bind(4, subject.rawValue)
    try KeyList(details).bytes.withUnsafeBytes { try statement.bind(5, blob: $0) }
    try statement.bind(6, now)
    try statement.run()
    try FeedWindow.bound(family, transaction)
    let event = FamilyEvent(kind: kind, subject: subject, details: details)
    transaction.tell(Feed.News(topic: topic(of: family), event: SourceEvent(event, position: position)))
  }

  /// Some of what happened in a family after a position.
  static func kept(
    of family: GlobalID,
    after position: Int64,
    atMost limit: Int64,
    _ reader: Reader
  ) throws -> [SourceEvent] {
    let statement = try reader.statement(kept)
    try statement.bind(1, family.rawValue)
    try statement.bind(2, position)
    try statement.bind(3, limit)
    var events: [SourceEvent] = []
    try statement.forEachRow { row in
      guard let kind = Kind(rawValue: row.int64(1)) else { return }
      var details: [GlobalID] = []
      KeyList.forEach(in: row.blob(3)) { details.append($0) }
      let event = FamilyEvent(kind: kind, subject: GlobalID(rawValue: row.int64(2)), details: details)
      events.append(SourceEvent(event, position: row.int64(0)))
    }
    return events
  }
}
