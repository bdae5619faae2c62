import GraphQL

/// The families with subscribers in this process, and how far their events have been published to them. A value that
/// `Feed` changes under its lock.
///
/// The events of a family are published in the order of their positions, each once. An event of a write of this process
/// is published at once if it follows what was published before. Otherwise writes of other processes lie between: then
/// `FeedFollower` reads what is missing from the database, this event included.
struct FollowedFamilies {
  struct Family {
    /// The loops with subscribers of each topic.
    var outlets: [Topic: [FeedOutlet]] = [:]
    /// The position up to which events were published. Nil until the newest one was read: subscribers get what was
    /// before it from their backlogs.
    var published: Int64?
    /// A position that the family has reached, as far as is known: the highest number after a commit at an unknown one.
    fileprivate(set) var reached: Int64 = 0
    /// The number of hints that the family has reached a position. A reading finds out whether they were wrong.
    fileprivate(set) var hints = 0
    /// Subscribers whose backlog is not read before `published` is known.
    var waiting: [CheckedContinuation<Void, Never>] = []
    /// The position that was published last, if this process has committed it.
    fileprivate var current: Int64?

    var isBehind: Bool { published.map { reached > $0 } ?? true }

    fileprivate mutating func recordHint(_ position: Int64) {
      reached = max(reached, position)
      hints += 1
    }
  }

  private(set) var families: [Int64: Family] = [:]

  /// The outlets of a topic.
  func outlets(of topic: Topic) -> [FeedOutlet] { families[topic.log]?.outlets[topic] ?? [] }

  mutating func add(_ outlet: FeedOutlet, to topic: Topic) {
    families[topic.log, default: Family()].outlets[topic, default: []].append(outlet)
  }

  /// Returns the waiting subscribers of a family that has none any more.
  mutating func remove(_ outlet: FeedOutlet, from topic: Topic) -> [CheckedContinuation<Void, Never>] {
    guard var family = families[topic.log] else { return [] }
    family.outlets[topic]?.removeAll { $0 === outlet }
    if family.outlets[topic]?.isEmpty == true { family.outlets[topic] = nil }
    families[topic.log] = family.outlets.isEmpty ? nil : family
    return family.outlets.isEmpty ? family.waiting : []
  }

  /// Whether the position from which on events are published is known, or nobody waits for it.
  func isReady(_ topic: Topic) -> Bool { families[topic.log]?.published != nil || families[topic.log] == nil }

  mutating func wait(for topic: Topic, _ subscriber: CheckedContinuation<Void, Never>) {
    families[topic.log]?.waiting.append(subscriber)
  }

  /// Ends all waiting.
  mutating func takeWaiting() -> [CheckedContinuation<Void, Never>] {
    let waiting = families.values.flatMap(\.waiting)
    for family in families.keys { families[family]?.waiting = [] }
    return waiting
  }

  // MARK: Positions

  /// Whether an event that this process has committed can be published at once.
  ///
  /// - Parameter position: nil for one that accompanies the event before it.
  mutating func admits(_ position: Int64?, of log: Int64) -> Bool {
    guard var family = families[log] else { return false }
    // Several topics can have an event of the same position.
    if family.current != nil, position == nil || position == family.current { return true }
    defer { families[log] = family }
    family.current = nil
    guard let position else { return false }
    guard let published = family.published, position == published + 1 else {
      family.recordHint(position)
      return false
    }
    family.published = position
    family.reached = max(family.reached, position)
    family.current = position
    return true
  }

  /// Another process says that a family has reached a position. Returns whether events must be read.
  mutating func recordHint(_ position: Int64, of log: Int64) -> Bool {
    guard let family = families[log], family.published.map({ position > $0 }) ?? true else { return false }
    families[log]?.recordHint(position)
    return true
  }

  /// A snapshot has shown the newest position of a family, of whose positions none was published yet. Returns who has
  /// waited for it.
  mutating func begin(_ log: Int64, at newest: Int64) -> [CheckedContinuation<Void, Never>] {
    guard let family = families[log], family.published == nil else { return [] }
    families[log]?.published = newest
    families[log]?.waiting = []
    return family.waiting
  }

  /// Events were read up to a position. Returns the position after which they are new.
  ///
  /// - Parameter isNewest: whether the snapshot has no later position.
  mutating func advance(_ log: Int64, to position: Int64, isNewest: Bool, hints: Int) -> Int64? {
    guard let family = families[log], let published = family.published else { return nil }
    if position > published {
      families[log]?.published = position
      families[log]?.current = nil
    }
    // A hint can be wrong, such as one from before a backup was restored.
    if isNewest, family.hints == hints { families[log]?.reached = max(position, published) }
    return published
  }
}
