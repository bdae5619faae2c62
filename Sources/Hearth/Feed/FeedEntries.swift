import Storage

/// What a write adds to the feeds of families. Positions are taken and entries stored at the end of the write, so that
/// the rows of `family_feed` are locked for a short time.
final class FeedEntries: CollectedWrites {
  /// Stores an entry at its place.
  typealias Store = (FeedPlace, WriteTransaction) throws -> Void
  /// Publishes the events of the entry, by topic.
  typealias Publish = (_ position: Int64, PublishedEvents) -> Void

  private struct Entry {
    let family: GlobalID
    let order: Int
    let isEvent: Bool
    let store: Store
    let publish: Publish
  }

  private var entries: [Entry] = []

  /// Adds an entry to a family's feed.
  ///
  /// - Parameter isEvent: whether it is a row of `family_event`.
  static func append(
    to family: GlobalID,
    isEvent: Bool = false,
    in transaction: WriteTransaction,
    store: @escaping Store,
    publish: @escaping Publish
  ) {
    let entries = transaction.collected as? FeedEntries ?? FeedEntries()
    entries.entries.append(
      Entry(family: family, order: entries.entries.count, isEvent: isEvent, store: store, publish: publish)
    )
    transaction.collected = entries
  }

  func write(in transaction: WriteTransaction) throws {
    // In rising order, so that two writes never wait for each other. Sorting allocates nothing for a single entry.
    entries.sort { ($0.family.rawValue, $0.order) < ($1.family.rawValue, $1.order) }
    var rest = entries[...]
    while let family = rest.first?.family {
      let entries = rest.prefix { $0.family == family }
      rest = rest[entries.endIndex...]
      let events = entries.count(where: \.isEvent)
      let count = try FeedCounter.take(entries.count, events: events, of: family, in: transaction) { first, events in
        for (position, entry) in zip(first..., entries) { entry.publish(position, events) }
      }
      for (index, entry) in entries.enumerated() {
        try entry.store(FeedPlace(family: family, distance: Int64(entries.count - 1 - index)), transaction)
      }
      if events > 0 { try FeedWindow.bound(family, count: count, in: transaction) }
    }
  }
}
