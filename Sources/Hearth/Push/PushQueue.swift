import Storage

/// The queue of notifications that leave the server. A push is inserted by the write that creates the notification, so
/// that neither exists without the other.
final class PushQueue: Sendable {
  /// Published by a write that has inserted pushes.
  private struct Added: Sendable {
    let channels: Set<PushChannel>
  }

  static let devices = SQL<GlobalID>("SELECT id, kind, queued FROM device WHERE member_id IN (\(\.self), 0)")
  static let deleteOldest = SQL<GlobalID>(
    "DELETE FROM push WHERE id = (SELECT id FROM push WHERE device_id = \(\.self) ORDER BY id LIMIT 1)"
  )
  static let deleteOfRecipient = SQL<GlobalID>("DELETE FROM push WHERE recipient_id = \(\.self)")

  private let streams: [PushChannel: (wakes: AsyncStream<Void>, waking: AsyncStream<Void>.Continuation)]

  init() {
    streams = Dictionary(
      uniqueKeysWithValues: PushChannel.allCases.map { channel in
        let (wakes, waking) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        return (channel, (wakes: wakes, waking: waking))
      }
    )
  }

  /// Has an element whenever there may be something to send. Several notifications can be merged into one element.
  func wakes(of channel: PushChannel) -> AsyncStream<Void>? { streams[channel]?.wakes }

  func wake(_ channel: PushChannel) { streams[channel]?.waking.yield() }

  /// Ends the sequence of notifications.
  func close() { for stream in streams.values { stream.waking.finish() } }

  /// Called after each commit with all that its writes have published.
  func noteCommitted(_ announcements: [any Sendable]) {
    for case let added as Added in announcements { added.channels.forEach(wake) }
  }

  /// Queues a push of `subject`, a notification or a reminder, to each device of a member, and to the operator's
  /// webhook. For most members that is one lookup that finds nothing.
  static func append(
    _ subject: GlobalID,
    to recipient: GlobalID,
    at now: Int64,
    in transaction: WriteTransaction
  ) throws {
    let devices = try transaction.reader.all(of: devices, recipient) { row in
      (id: GlobalID(rawValue: row.int64(0)), channel: PushChannel(rawValue: row.int64(1)), queued: row.int64(2))
    }
    guard !devices.isEmpty else { return }
    for (device, channel, queued) in devices {
      guard let channel else { continue }
      let push = Push(
        device: device,
        channel: channel,
        recipient: recipient,
        subject: subject,
        createdAt: Timestamp(now),
        dueAt: Timestamp(now)
      )
      try transaction.run(Push.table.insert, push)
      if queued >= channel.maximumQueued { try transaction.run(deleteOldest, device) }
    }
    transaction.publish(Added(channels: Set(devices.compactMap(\.channel))))
  }
}
