import EventLoop
import GraphQL
import Storage
import Synchronization

/// The fan-out of committed events to the loops with subscribers.
final class Feed: Sendable {
  /// An event that a write publishes (`WriteTransaction.publish`).
  struct Publication: Sendable {
    let topic: Topic
    let event: SourceEvent

    /// Stands for events of a family that were committed at unknown positions, and have to be read. No event has a
    /// position as high.
    static func unplaced(in family: GlobalID) -> Publication {
      Publication(topic: FeedEvent.topic(of: family), event: SourceEvent(family, position: unknownPosition))
    }

    static let unknownPosition = Int64.max
  }

  /// The families with subscribers. A loop is added before its subscription reads the backlog. Events committed later
  /// reach it through the feed, and earlier ones through the backlog.
  private let followed = Mutex(FollowedFamilies())
  /// How the entries of topics are read, by the topics' names.
  private let entrySources = Mutex<[String: FeedReading.Source]>(Feed.eventSources)
  private static let eventSources: [String: FeedReading.Source] = [
    FeedEvent.familyTopicName: FeedEvent.entries, FeedEvent.accountTopicName: FeedEvent.entries,
  ]
  private let follower: ChangeFollower?
  private var isFollowing: Bool { follower != nil }

  /// - Parameter follower: of the events of other processes; nil if none can write.
  init(follower: ChangeFollower?) { self.follower = follower }

  /// Delivers events to the subscriptions of a loop.
  func attach(_ hub: SubscriptionHub, on loop: EventLoop) {
    let outlet = FeedOutlet(hub, on: loop)
    hub.topicDidChange = { [self] topic, isListenedTo in
      guard !isListenedTo else { return followed.withLock { $0.add(outlet, to: topic) } }
      for subscriber in followed.withLock({ $0.remove(outlet, from: topic) }) { subscriber.resume() }
    }
    guard isFollowing else { return }
    hub.topicWillBeRead = { [self] topic in await whenFollowed(topic) }
  }

  /// Releases the outlet of a loop that ends. It refers to the subscriptions, which refer to it.
  static func detach(_ hub: SubscriptionHub) {
    hub.topicDidChange = { _, _ in }
    hub.topicWillBeRead = nil
  }

  /// The positions of what a committed write has published, as far as they are known.
  static func positions(of events: [any Sendable]) -> [Int64] {
    events.compactMap { ($0 as? Publication)?.event.position }.filter { $0 != Publication.unknownPosition }
  }

  /// Called on the writer's thread, in the order of the commits.
  @Sendable func announce(_ announcements: [any Sendable]) {
    let publications = announcements.compactMap { $0 as? Publication }
    let isBehind = followed.withLock { followed in
      var isBehind = false
      var batches = OutletBatches()
      for item in publications {
        if !isFollowing || followed.admits(item.event.position, of: item.topic.log) {
          batches.append(item, to: followed.outlets(of: item.topic))
        } else {
          isBehind = isBehind || followed.families[item.topic.log]?.isBehind == true
        }
      }
      batches.send()
      return isBehind
    }
    guard let follower else { return }
    let newest = Dictionary(
      publications.compactMap { item in item.event.position.map { (item.topic.log, $0) } },
      uniquingKeysWith: max
    )
    for (family, position) in newest { follower.post(.family, key: family, number: position) }
    if isBehind { follower.read(.family) }
  }

  // MARK: Other processes

  /// Declares how the entries of a topic are read. Must be called before subscriptions are served.
  func addTopic(_ name: String, readBy source: @escaping FeedReading.Source) {
    entrySources.withLock { $0[name] = source }
  }

  var sources: [String: FeedReading.Source] { entrySources.withLock { $0 } }

  /// Returns when the feed publishes everything that a backlog that is read from now on may lack.
  private func whenFollowed(_ topic: Topic) async {
    guard !followed.withLock({ $0.isReady(topic) }) else { return }
    await withCheckedContinuation { subscriber in
      let isReady = followed.withLock { followed in
        let isReady = followed.isReady(topic)
        if !isReady { followed.wait(for: topic, subscriber) }
        return isReady
      }
      if isReady { subscriber.resume() } else { follower?.read(.family) }
    }
  }

  /// Another process says that a family has reached a position. Returns whether events must be read.
  func recordHint(_ position: Int64, of family: Int64) -> Bool {
    followed.withLock { $0.recordHint(position, of: family) }
  }

  /// What `FeedFollower` has to read: families that are behind, or all.
  func reading(all: Bool) -> [FeedReading] {
    followed.withLock { followed in
      followed.families.filter { all || $0.value.isBehind }.map { log, family in
        FeedReading(
          family: GlobalID(rawValue: log),
          after: family.published,
          hints: family.hints
        )
      }
    }
  }

  /// Has families read that are behind.
  func readWhatIsBehind() {
    if followed.withLock({ $0.families.values.contains(where: \.isBehind) }) { follower?.read(.family) }
  }

  /// The topics of a family with subscribers.
  func topics(of family: GlobalID) -> [Topic] {
    followed.withLock { followed in followed.families[family.rawValue].map { Array($0.outlets.keys) } ?? [] }
  }

  /// From this position on the events of a family are published.
  func begin(_ reading: FeedReading, at newest: Int64) {
    let waiting = followed.withLock { $0.begin(reading.family.rawValue, at: newest) }
    for subscriber in waiting { subscriber.resume() }
  }

  /// Publishes what was read, as far as it was not published meanwhile.
  func publish(_ piece: FeedReading.Piece, of reading: FeedReading) {
    followed.withLock { followed in
      let log = reading.family.rawValue
      guard
        let published = followed.advance(log, to: piece.reached, isNewest: piece.isLast, hints: reading.hints)
      else { return }
      var batches = OutletBatches()
      for entry in piece.entries where entry.position > published {
        for item in entry.publications { batches.append(item, to: followed.outlets(of: item.topic)) }
      }
      batches.send()
    }
  }

  /// Resumes all subscribers that wait.
  func endFollowing() {
    for subscriber in followed.withLock({ $0.takeWaiting() }) { subscriber.resume() }
  }
}

/// Publications by the loops that get them. They are handed over under the lock of the feed, so that two threads that
/// publish do not overtake each other.
private struct OutletBatches {
  private var batches: [(outlet: FeedOutlet, publications: [Feed.Publication])] = []

  mutating func append(_ item: Feed.Publication, to outlets: [FeedOutlet]) {
    for outlet in outlets {
      if let index = batches.firstIndex(where: { $0.outlet === outlet }) {
        batches[index].publications.append(item)
      } else {
        batches.append((outlet, [item]))
      }
    }
  }

  func send() {
    for (outlet, publications) in batches { outlet.append(publications) }
  }
}
