import Storage

/// What a write adds to the feeds of families. Positions are taken and entries stored at the end of the write, so that
/// the rows of `family_feed` are locked for a short time.
final class FeedEntries: CollectedWrites {
  /// Stores an entry with its position, and publishes it.
  typealias Store = (_ position: Int64, WriteTransaction) throws -> Void

  private struct Entry {
    let family: GlobalID
    let isEvent: Bool
    let store: Store
  }

  private var entries: [Entry] = []

  /// Adds an entry to a family's feed.
  ///
  /// - Parameter isEvent: whether it is a row of `family_event`.
  static func append(
    to family: GlobalID,
    isEvent: Bool = false,
    in transaction: WriteTransaction,
    store: @escaping Store
  ) {
    let entries = transaction.collected as? FeedEntries ?? FeedEntries()
    entries.entries.append(Entry(family: family, isEvent: isEvent, store: store))
    transaction.collected = entries
  }

  func write(in transaction: WriteTransaction) throws {
    // In rising order, so that two writes never wait for each other.
    let feeds = Dictionary(grouping: entries, by: \.family).sorted { $0.key.rawValue < $1.key.rawValue }
    for (family, entries) in feeds {
      let events = entries.count(where: \.isEvent)
      let (first, count) = try FeedCounter.take(entries.count, events: events, of: family, in: transaction)
      for (position, entry) in zip(first..., entries) { try entry.store(position, transaction) }
      if events > 0 { try FeedWindow.bound(family, count: count, in: transaction) }
    }
  }
}
