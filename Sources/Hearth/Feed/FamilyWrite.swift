import GraphQL
import Storage

/// A write of a family's data. Valid only while the body of the write runs.
///
/// What changes a family's data takes one as its last parameter, `in write`. What only reads it takes the family and a
/// reader instead: `of family`, `from reader`.
struct FamilyWrite {
  let family: GlobalID
  /// The same write, for changes that are not of the family's data.
  let dated: DatedWrite

  fileprivate init(of family: GlobalID, dated: DatedWrite) {
    self.family = family
    self.dated = dated
  }

  var now: Timestamp { dated.now }
  var transaction: WriteTransaction { dated.transaction }
  /// Reads with the changes of the write so far.
  var reader: Reader { dated.reader }

  /// The same write in another family's data, such as that of the family which a parent joins.
  func inFamily(_ other: GlobalID) -> FamilyWrite { dated.inFamily(other) }

  /// Stores an event at the end of the write that caused it, and publishes it after the commit.
  ///
  /// - Parameters:
  ///   - subject: by default the family itself.
  ///   - companions: events without a position that are published with it.
  func record(
    _ kind: FeedEvent.Kind,
    subject: GlobalID? = nil,
    details: [GlobalID] = [],
    with companions: [Feed.Publication] = []
  ) {
    // The transaction keeps the closures, so they must not keep the transaction.
    let (family, now, subject) = (family, now, subject ?? family)
    FeedEntries.append(to: family, isEvent: true, in: transaction) { place, transaction in
      let row = FeedEventRow(
        log: family,
        position: 0,
        kind: kind,
        subject: subject,
        details: KeyList(details),
        recordedAt: now
      )
      try transaction.run(FeedEventRow.insert, (row: row, place: place))
    } publish: { position, events in
      let event = FeedEvent(kind: kind, subject: subject, details: details)
      let source = SourceEvent(event, position: position)
      events.append(Feed.Publication(topic: FeedEvent.topic(of: family), event: source))
      for companion in companions { events.append(companion) }
    }
  }
}

extension DatedWrite {
  /// The same write in the data of a family.
  func inFamily(_ family: GlobalID) -> FamilyWrite { FamilyWrite(of: family, dated: self) }
}
