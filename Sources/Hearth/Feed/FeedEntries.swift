import Storage

/// What a write adds to the feeds of families, with the events of their members' accounts. Positions are taken and
/// entries stored at the end of the write, so that the rows of `family_feed` are locked for a short time.
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
  /// In the order in which they were first recorded.
  private var accountChanges: [AccountChange] = []
  private var knownChanges: Set<AccountChange> = []

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
    collected(by: transaction).add(to: family, isEvent: isEvent, store: store, publish: publish)
  }

  /// Adds an event of a member's account to the feed of the member's family, which is looked up at the end of the
  /// write. A change that was added before stays one event.
  static func append(_ change: AccountChange, in transaction: WriteTransaction) {
    let entries = collected(by: transaction)
    if entries.knownChanges.insert(change).inserted { entries.accountChanges.append(change) }
  }

  private static func collected(by transaction: WriteTransaction) -> FeedEntries {
    let entries = transaction.collected as? FeedEntries ?? FeedEntries()
    transaction.collected = entries
    return entries
  }

  private func add(to family: GlobalID, isEvent: Bool, store: @escaping Store, publish: @escaping Publish) {
    entries.append(Entry(family: family, order: entries.count, isEvent: isEvent, store: store, publish: publish))
  }

  private func addAccountChanges(in transaction: WriteTransaction) throws {
    guard !accountChanges.isEmpty else { return }
    let members = try MemberFamilies.read(of: Array(Set(accountChanges.map(\.member))), from: transaction.reader)
    let families = Dictionary(members.map { ($0.key, $0.family) }) { first, _ in first }
    for change in accountChanges {
      guard let family = families[change.member] else { continue }
      add(to: family, isEvent: false) { place, transaction in
        try change.store(at: place, in: transaction)
      } publish: { position, events in
        events.append(change.publication(in: family, position: position))
      }
    }
  }

  func write(in transaction: WriteTransaction) throws {
    try addAccountChanges(in: transaction)
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
