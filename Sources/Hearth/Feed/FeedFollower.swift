import Storage
import Synchronization

/// Publishes the events that other processes have committed in the families with subscribers in this process.
final class FeedFollower: Sendable {
  /// Milliseconds between two reads without hints, soon after other processes have written.
  private static let busyInterval = 500
  /// How long they count as busy after they have written.
  private static let busyTime = Duration.seconds(5)

  private let feed: Feed
  private let hints: DatabaseHints
  /// When events of other processes were last found.
  private let foundAt = Mutex<ContinuousClock.Instant?>(nil)

  init(_ feed: Feed, hints: DatabaseHints) {
    self.feed = feed
    self.hints = hints
  }

  var followedData: FollowedData {
    FollowedData(
      interval: { [self] in isBusy ? Self.busyInterval : hints.readInterval },
      receivers: [
        .family: { [feed] hints in
          hints.reduce(false) { isBehind, hint in feed.recordHint(hint.number, of: hint.key) || isBehind }
        }
      ],
      read: { [self] reader, isComplete in
        if try publish(all: isComplete, from: reader) { foundAt.withLock { $0 = .now } }
      }
    )
  }

  private var isBusy: Bool {
    guard hints == .poll, let foundAt = foundAt.withLock({ $0 }) else { return false }
    return ContinuousClock.now - foundAt < Self.busyTime
  }

  /// Reads and publishes a piece of each family that is behind. Returns whether others had written. Families that are
  /// still behind are read again after the other data of the follower: events can come faster than they are read.
  ///
  /// - Parameter all: whether families of which no new position is known are read too.
  private func publish(all: Bool, from reader: Reader) throws -> Bool {
    var hasFound = false
    let readings = feed.reading(all: all)
    guard !readings.isEmpty else { return false }
    let positions = try FeedReading.positions(of: readings, from: reader)
    for reading in readings {
      let newest = positions[reading.family] ?? 0
      guard let after = reading.after else {
        feed.begin(reading, at: newest)
        continue
      }
      hasFound = hasFound || newest > after
      // Without a new position it only corrects a hint.
      let piece =
        newest > after
        ? try reading.read(
          feed.sources,
          of: feed.topics(of: reading.family),
          after: after,
          newest: newest,
          from: reader
        )
        : FeedReading.Piece(reached: newest)
      feed.publish(piece, of: reading)
    }
    feed.readWhatIsBehind()
    return hasFound
  }
}
