import Basics

/// The subscriptions that read their backlogs, in the order of their turns. Confined to the hub.
///
/// A caller has one subscription with a piece of its backlog in memory, and then it is the turn of the caller's next
/// one. So the subscriptions of one caller together have the turns of one, and what is in memory is bounded.
struct ReplayQueue {
  /// The subscriptions of a caller that wait until they may begin a piece.
  private struct Line {
    var subscriptions = Fifo<Subscription>()
    var maximumCount = minimumCount
    private static let minimumCount = 64

    /// Subscriptions that have ended are removed before there are more of them than of others.
    mutating func append(_ subscription: Subscription) {
      subscriptions.append(subscription)
      guard subscriptions.count > maximumCount else { return }
      subscriptions.removeAll { $0.machine.phase == .ended }
      maximumCount = max(Self.minimumCount, 2 * subscriptions.count)
    }
  }

  /// The maximum number of subscriptions that have begun a piece.
  private static let maximumReading = 100

  /// By caller. A caller has a line, possibly an empty one, while one of its subscriptions reads.
  private var lines: [Int?: Line] = [:]
  /// The callers whose next subscription may begin a piece.
  private var callers = Fifo<Int?>()
  /// The subscriptions that have begun a piece, in the order of their turns.
  private var scheduled = Fifo<Subscription>()
  /// The number of subscriptions that have begun a piece, with those whose step is suspended.
  private var readingCount = 0

  /// Adds a subscription that begins to read.
  mutating func insert(_ subscription: Subscription) {
    if lines[subscription.payer] == nil { callers.append(subscription.payer) }
    lines[subscription.payer, default: Line()].append(subscription)
  }

  /// Removes the subscription whose turn it is. After its step, the caller must reschedule or remove it.
  mutating func popNext() -> Subscription? {
    guard !lines.isEmpty else { return nil }
    beginNextPiece()
    return scheduled.popFirst()
  }

  private mutating func beginNextPiece() {
    while readingCount < Self.maximumReading, let caller = callers.popFirst() {
      guard let subscription = lines[caller]?.subscriptions.popFirst() else {
        // All have ended and were removed.
        lines[caller] = nil
        continue
      }
      readingCount += 1
      scheduled.append(subscription)
      return
    }
  }

  /// Lets a subscription wait for its next step.
  mutating func reschedule(_ subscription: Subscription) { scheduled.append(subscription) }

  /// Lets a subscription wait behind the others of its caller, because it has finished a piece.
  mutating func rescheduleAfterPiece(_ subscription: Subscription) {
    readingCount -= 1
    lines[subscription.payer, default: Line()].append(subscription)
    callers.append(subscription.payer)
  }

  /// Removes a subscription that reads no further.
  mutating func remove(_ subscription: Subscription) {
    readingCount -= 1
    if lines[subscription.payer]?.subscriptions.isEmpty == false {
      callers.append(subscription.payer)
    } else {
      lines[subscription.payer] = nil
    }
  }
}
