import Basics
import GraphQL
import GraphQLTransport
import Logging
import Storage
import Synchronization

/// Finds out what other processes have committed, on a thread that reads the database: events of the families with
/// subscribers in this process, which the feed then publishes, sessions that have ended, new signing keys, and pictures
/// that were removed.
///
/// The other processes send hints, so that it looks at once. It also looks by itself: when hints may have been lost,
/// and now and then anyway. Only what it reads counts.
final class FeedFollower: Sendable {
  private struct State {
    /// Whether a family may be behind, and whether all have to be looked at.
    var isDue = false
    var mustSweep = false
    var isClosed = false
  }

  /// The letters of hints.
  private enum HintKind {
    static let family = UInt8(ascii: "f")
    static let endedSession = UInt8(ascii: "e")
    static let movedSession = UInt8(ascii: "m")
    static let signingKeys = UInt8(ascii: "k")
    static let removedPicture = UInt8(ascii: "p")
  }

  private let feed: Feed
  private let endedSessions: EndedSessions
  private let hints: DatabaseHints
  private let clock: Clock
  private let log: Logger
  private let state = Monitor(State())
  private let database = Mutex<Database?>(nil)
  private let thread = Mutex<SystemThread?>(nil)
  private let sessionSweep = Mutex<(@Sendable (Reader) throws -> Void)?>(nil)
  private let keySweep = Mutex<(@Sendable (Reader) throws -> Void)?>(nil)
  private let pictures = Mutex<PictureStore?>(nil)

  /// Milliseconds between two looks without a hint: at the families with subscribers, at those with subscribers soon
  /// after others have written and there are no hints, and at the sessions of open connections and the signing keys.
  private var interval: Int { hints == .notify ? 30_000 : 5_000 }
  private static let busyInterval = 500
  private var sessionInterval: Int { hints == .notify ? 30_000 : 5_000 }
  /// And at all copies of pictures.
  private static let pictureInterval = 3_600_000
  /// Milliseconds after which others count as idle.
  private static let busyTime = 5_000
  /// Milliseconds after which it looks again when the database did not answer.
  private static let retryInterval = 500

  init(_ feed: Feed, endedSessions: EndedSessions, hints: DatabaseHints, clock: Clock, log: Logger) {
    self.feed = feed
    self.endedSessions = endedSessions
    self.hints = hints
    self.clock = clock
    self.log = log
  }

  func start(_ database: Database) throws {
    self.database.withLock { $0 = database }
    feed.follow(with: self)
    endedSessions.tellOthers { [weak self] sessions, change in
      let kind = change == .ended ? HintKind.endedSession : HintKind.movedSession
      for session in sessions { self?.post(kind, key: session.rawValue, number: 0) }
    }
    let started = try SystemThread(name: "follower") { [self] in
      guard let reader = try? database.makeReader() else { return }
      run(reader)
    }
    thread.withLock { $0 = started }
  }

  /// Looks at the sessions of open connections from now on.
  func sweepSessions(by sweep: @escaping @Sendable (Reader) throws -> Void) { sessionSweep.withLock { $0 = sweep } }

  /// Looks at the signing keys from now on.
  func sweepKeys(by sweep: @escaping @Sendable (Reader) throws -> Void) { keySweep.withLock { $0 = sweep } }

  /// Removes the copies of pictures that other processes have removed, from now on.
  func watch(_ pictures: PictureStore) { self.pictures.withLock { $0 = pictures } }

  /// Waits until the thread has ended. Blocks for as long as the database needs to answer.
  func stop() {
    state.withLock { state, _ in state.isClosed = true }
    state.broadcast()
    thread.withLock { thread in
      thread?.join()
      thread = nil
    }
    pictures.withLock { $0 = nil }
    feed.endFollowing()
  }

  /// Looks at the families that are behind.
  func wake() {
    state.withLock { state, _ in state.isDue = true }
    state.signal()
  }

  // MARK: Hints

  private func post(_ kind: UInt8, key: Int64, number: Int64) {
    database.withLock { $0 }?.postHint(kind, key: key, number: number)
  }

  /// Tells the others of events that this process has committed.
  func note(_ publications: [Feed.Publication], isBehind: Bool) {
    var newest: [Int64: Int64] = [:]
    for item in publications {
      if let position = item.event.position { newest[item.topic.log] = max(position, newest[item.topic.log] ?? 0) }
    }
    for (family, position) in newest { post(HintKind.family, key: family, number: position) }
    if isBehind { wake() }
  }

  /// Tells the others that this process has stored signing keys.
  func tellOfKeys() { post(HintKind.signingKeys, key: 0, number: 0) }

  /// Tells the others that this process has removed a picture.
  func tell(ofRemoved picture: PictureHash) { post(HintKind.removedPicture, key: picture.beginning, number: 0) }

  /// Called with the hints of other processes; nil if some may have been lost.
  @Sendable func receive(_ hints: [Database.Hint]?) {
    guard let hints else { return lookAtAll() }
    var isBehind = false
    var (ended, moved): ([GlobalID], [GlobalID]) = ([], [])
    for hint in hints {
      switch hint.kind {
      case HintKind.family: isBehind = feed.note(hint.number, of: hint.key) || isBehind
      case HintKind.endedSession: ended.append(GlobalID(rawValue: hint.key))
      case HintKind.movedSession: moved.append(GlobalID(rawValue: hint.key))
      // An operator has replaced them, which is rare.
      case HintKind.signingKeys: lookAtAll()
      case HintKind.removedPicture: pictures.withLock { $0 }?.removeCopies(beginning: hint.key)
      default: break
      }
    }
    if isBehind { wake() }
    endedSessions.note(ended, change: .ended, at: clock.now())
    endedSessions.note(moved, change: .rightsChanged, at: clock.now())
  }

  private func lookAtAll() {
    state.withLock { state, _ in state.mustSweep = true }
    state.signal()
  }

  // MARK: The thread

  private func run(_ reader: Reader) {
    var sweptAt = ContinuousClock.now
    var (sessionsSweptAt, picturesSweptAt) = (sweptAt, sweptAt)
    var foundAt = sweptAt - .seconds(3_600)
    var hasFailed = false
    while true {
      let isBusy = hints == .poll && Self.milliseconds(since: foundAt) < Self.busyTime
      let interval = isBusy ? Self.busyInterval : interval
      let pause = hasFailed ? Self.retryInterval : max(1, interval - Self.milliseconds(since: sweptAt))
      let isClosed = state.wait(atMost: pause) { state in
        if state.isClosed { return true }
        guard !hasFailed, state.isDue || state.mustSweep else { return nil }
        return false
      }
      if isClosed == true { return }
      let (isDue, mustSweep) = state.withLock { state, _ in
        defer { (state.isDue, state.mustSweep) = (false, false) }
        return (state.isDue, state.mustSweep)
      }
      let sweeps = mustSweep || hasFailed || Self.milliseconds(since: sweptAt) >= interval
      guard isDue || sweeps else { continue }
      do {
        defer { reader.endRead() }
        let isUncertain = mustSweep || hasFailed
        // First, because the families are read in the same snapshot.
        if isUncertain || Self.milliseconds(since: sessionsSweptAt) >= sessionInterval {
          sessionsSweptAt = .now
          try sessionSweep.withLock { $0 }?(reader)
          try keySweep.withLock { $0 }?(reader)
        }
        if try follow(all: sweeps, with: reader) { foundAt = .now }
        if sweeps { sweptAt = .now }
        if isUncertain || Self.milliseconds(since: picturesSweptAt) >= Self.pictureInterval {
          picturesSweptAt = .now
          sweepPictures()
        }
        hasFailed = false
      } catch {
        if !hasFailed { log.warning("The events of other servers cannot be read.", metadata: ["error": "\(error)"]) }
        hasFailed = true
      }
    }
  }

  private func sweepPictures() {
    guard let database = database.withLock({ $0 }) else { return }
    pictures.withLock { $0 }?.sweepCopies(of: database)
  }

  private static func milliseconds(since start: ContinuousClock.Instant) -> Int {
    Int((ContinuousClock.now - start) / .milliseconds(1))
  }

  /// Reads and publishes until no family is behind. Returns whether others had written.
  private func follow(all: Bool, with reader: Reader) throws -> Bool {
    var hasFound = false
    var readings = feed.reading(all: all)
    while !readings.isEmpty {
      do {
        defer { reader.endRead() }
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
            ? try reading.read(feed.sources, after: after, newest: newest, from: reader)
            : FeedReading.Piece(reached: newest)
          feed.publish(piece, of: reading)
        }
      }
      readings = feed.reading(all: false)
    }
    return hasFound
  }
}
