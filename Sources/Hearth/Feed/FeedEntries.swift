import Storage

/// What a write adds to the feeds of families. Positions are taken and entries stored at the end of the write, so that
/// the rows of `family_feed` are locked for a short time.
final class FeedEntries: CollectedWrites {
  /// Stores an entry at its place.
  typealias Store = (FeedPlace, WriteTransaction) throws -> Void
  /// Makes the events of the entry, by topic.
  typealias Publish = (_ position: Int64) -> [Feed.Publication]

  private struct Entry {
    let family: GlobalID
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
    entries.entries.append(Entry(family: family, isEvent: isEvent, store: store, publish: publish))
    transaction.collected = entries
  }

  func write(in transaction: WriteTransaction) throws {
    // In rising order, so that two writes never wait for each other.
    let feeds = Dictionary(grouping: entries, by: \.family).sorted { $0.key.rawValue < $1.key.rawValue }
    for (family, entries) in feeds {
      let events = entries.count(where: \.isEvent)
      let count = try FeedCounter.take(entries.count, events: events, of: family, in: transaction) { first in
        zip(first..., entries).flatMap { position, entry in entry.publish(position) }
      }
      for (index, entry) in entries.enumerated() {
        try entry.store(FeedPlace(family: family, distance: Int64(entries.count - 1 - index)), transaction)
      }
      if events > 0 { try FeedWindow.bound(family, count: count, in: transaction) }
    }
  }
}
