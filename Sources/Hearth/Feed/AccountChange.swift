import GraphQL
import Storage

/// A change in a member's account, which becomes an event for the member's devices at the end of the write.
///
/// The events of a member's account are a log of their own: rows of `family_event` with the key of the member. The
/// member also has a row of `family_feed`, which counts and bounds them (`FeedWindow`). Their positions are those of
/// the member's family, so that a client's position is valid for each of its subscriptions.
struct AccountChange: Hashable {
  let member: GlobalID
  let kind: FeedEvent.Kind
  let subject: GlobalID
  let recordedAt: Timestamp

  /// Counts an event of a member. The row of the first one takes over what the family's row says of older positions.
  static let count = SQL<(member: GlobalID, family: GlobalID)>(
    """
    INSERT INTO family_feed (family_id, count, swept, position) \
    SELECT \(\.member), 1, swept, 0 FROM family_feed WHERE family_id = \(\.family) \
    ON CONFLICT (family_id) DO UPDATE SET count = family_feed.count + 1
    """
  )

  /// Stores the event at its place in the feed of the member's family.
  func store(at place: FeedPlace, in transaction: WriteTransaction) throws {
    let row = FeedEventRow(log: member, position: 0, kind: kind, subject: subject, details: nil, recordedAt: recordedAt)
    try transaction.run(FeedEventRow.insert, (row: row, place: place))
    try transaction.run(Self.count, (member: member, family: place.family))
    try FeedWindow.bound(member, count: nil, in: transaction)
  }

  func publication(in family: GlobalID, position: Int64) -> Feed.Publication {
    let event = SourceEvent(FeedEvent(kind: kind, subject: subject), position: position)
    return Feed.Publication(topic: FeedEvent.topic(ofAccount: member, in: family), event: event)
  }
}

extension DatedWrite {
  /// Records that something has changed in a member's account. It is one event, however often the write records it.
  /// What is shown of the subject is what the member sees of it at the delivery, so a removal is recorded as a change.
  func record(_ kind: FeedEvent.Kind, subject: GlobalID, for member: GlobalID) {
    let change = AccountChange(member: member, kind: kind, subject: subject, recordedAt: now)
    FeedEntries.append(change, in: transaction)
  }

  /// Records that a member's account itself has changed.
  func recordChange(ofAccount member: GlobalID, as kind: FeedEvent.Kind = .accountChanged) {
    let subject = member.kind == .child ? member : member.viewed(as: .account)
    record(kind, subject: subject, for: member)
  }
}
