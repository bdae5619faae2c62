import Storage

/// The devices of the recipients of a write, and the operator's webhook, with the number of pushes that are queued for
/// each. All are read by one statement, and the write counts what it adds.
final class MemberDevices {
  private struct Device {
    let id: GlobalID
    let channel: PushChannel
    var queued: Int64
  }

  /// The SQL condition that the session of a device has not expired by `now`. The row of an expired session, and with
  /// it that of its device, is deleted only when the session is swept. PostgreSQL evaluates the subquery for each
  /// device, by the key of its session, whereas EXISTS could read all sessions.
  ///
  /// - Parameter alias: that of the table `device`.
  static func isInUse<Parameters>(_ alias: String, at now: SQLFragment<Parameters>) -> SQLFragment<Parameters> {
    """
    coalesce((SELECT s.expires_at FROM session AS s WHERE s.id = \(sql: alias).session_id), 9223372036854775807) \
    > \(now)
    """
  }

  /// A device whose session has expired receives nothing.
  static let ofMembers = SQL<(members: [Int64], now: Timestamp)>(
    """
    SELECT d.member_id, d.id, d.kind, d.queued FROM \(table: \.members) AS k \
    \(join: .asWritten) device AS d ON d.member_id = k.value \
    WHERE \(isInUse("d", at: "\(\.now)"))\(order: "k.slot, d.id")
    """
  )
  static let deleteOldest = SQL<GlobalID>(
    "DELETE FROM push WHERE id = (SELECT id FROM push WHERE device_id = \(\.self) ORDER BY id LIMIT 1)"
  )

  /// The webhook is stored as a device of this member, which does not exist.
  private static let webhookOwner = GlobalID(rawValue: 0)

  private var devices: [GlobalID: [Device]] = [:]

  init(of members: Set<GlobalID>, at now: Timestamp, from reader: Reader) throws {
    guard !members.isEmpty else { return }
    let keys = members.map(\.rawValue) + [Self.webhookOwner.rawValue]
    try reader.forEachRow(of: Self.ofMembers, (members: keys, now: now)) { row in
      guard let channel = PushChannel(rawValue: row.int64(2)) else { return }
      let device = Device(id: row.key(1), channel: channel, queued: row.int64(3))
      devices[row.key(0), default: []].append(device)
    }
  }

  /// Queues a push of `subject`, a notification or a reminder, to each device of a member, and to the webhook.
  func push(_ subject: GlobalID, to recipient: GlobalID, in write: DatedWrite) throws {
    var channels: Set<PushChannel> = []
    for owner in [recipient, Self.webhookOwner] {
      for (index, device) in (devices[owner] ?? []).enumerated() {
        let push = Push(
          device: device.id,
          channel: device.channel,
          recipient: recipient,
          subject: subject,
          createdAt: write.now,
          dueAt: write.now
        )
        try write.transaction.run(Push.table.insert, push)
        channels.insert(device.channel)
        if device.queued < device.channel.maximumQueued {
          devices[owner]?[index].queued += 1
        } else {
          try write.transaction.run(Self.deleteOldest, device.id)
        }
      }
    }
    if !channels.isEmpty { PushQueue.publish(channels, in: write.transaction) }
  }
}
