import Storage
import Synchronization

/// The queue of notifications that leave the server. A push is inserted by the write that creates the notification, so
/// that neither exists without the other.
final class PushQueue: Sendable {
  /// Published by a write that has inserted pushes or made them due.
  private struct Added: Sendable {
    let channels: Set<PushChannel>
  }

  static let deleteOfRecipient = SQL<GlobalID>("DELETE FROM push WHERE recipient_id = \(\.self)")
  /// - Parameter latest: the latest time of a next attempt. Pushes that were tried wait for one, unless they are held
  ///   beyond it.
  static let releaseOfRecipients = SQL<(recipients: [Int64], now: Timestamp, latest: Timestamp)>(
    """
    UPDATE push SET due_at = \(\.now) WHERE recipient_id IN (SELECT k.value FROM \(table: \.recipients) AS k) \
    AND due_at > \(\.now) AND (attempts = 0 OR due_at > \(\.latest)) RETURNING kind
    """
  )

  /// They wake the deliveries on the channels.
  let signals = Dictionary(uniqueKeysWithValues: PushChannel.allCases.map { ($0, QueueSignal()) })

  /// The name of the setting whose value is another one each time an operator ends the pauses.
  static let resumption = "push-resumption"
  /// Milliseconds between two reads of the setting, for processes that no hint reaches.
  private static let readInterval = 30_000

  private let observers = Mutex<[@Sendable () -> Void]>([])
  private let lastResumption = Mutex<[UInt8]>([])

  /// Calls `body` when an operator ends the pauses of the channels, in this process or another one.
  func whenResumed(_ body: @escaping @Sendable () -> Void) { observers.withLock { $0.append(body) } }

  /// Ends the pauses of the channels in this process, once for each value of the setting. The first value that it reads
  /// can be older than the process, and costs one attempt then.
  func resume(by resumption: [UInt8]) {
    let isNew = lastResumption.withLock { last in
      defer { last = resumption }
      return last != resumption
    }
    guard isNew else { return }
    for observer in observers.withLock({ $0 }) { observer() }
  }

  /// The pauses that operators end at other processes: the channels may be those of this one.
  var followedResumptions: FollowedData {
    FollowedData(
      interval: { Self.readInterval },
      receivers: [.resumedPushes: { _ in true }],
      read: { [weak self] reader, _ in
        let stored = try reader.first(of: Secrets.read, Self.resumption) { row in Array(row.blob(0)) }
        if let stored { self?.resume(by: stored) }
      }
    )
  }

  /// Called after each commit with all that its writes have published.
  func noteCommitted(_ announcements: [any Sendable]) {
    for case let added as Added in announcements { added.channels.forEach { signals[$0]?.wake() } }
  }

  /// Wakes the delivery on these channels after the commit.
  static func publish(_ channels: Set<PushChannel>, in transaction: WriteTransaction) {
    transaction.publish(Added(channels: channels))
  }

  /// Makes the pushes due that wait for the end of their recipients' quiet hours, because the hours may have changed.
  /// The delivery holds those again that are still to wait.
  static func release(of recipients: [GlobalID], in write: DatedWrite) throws {
    var channels: Set<PushChannel> = []
    let latest = write.now + QueuedPush.longestDelay
    let waiting = (recipients: recipients.map(\.rawValue), now: write.now, latest: latest)
    try write.reader.forEachRow(of: releaseOfRecipients, waiting) { row in
      if let channel = PushChannel(rawValue: row.int64(0)) { channels.insert(channel) }
    }
    if !channels.isEmpty { publish(channels, in: write.transaction) }
  }
}
