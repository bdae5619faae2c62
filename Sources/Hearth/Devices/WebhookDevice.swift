import Logging
import Storage

/// The row of `device` that stands for the operator's webhook, so that the queue has one form for all.
enum WebhookDevice {
  static let key = GlobalID(.device, number: 0)

  static let add: SQL<Device> = Device.table.insert(then: "ON CONFLICT (id) DO NOTHING")
  static let exists = SQL<GlobalID>("SELECT 1 FROM device WHERE id = \(\.self)")
  static let pushCount = SQL<GlobalID>("SELECT count(*) FROM push WHERE device_id = \(\.self)")

  /// Adds the row, or removes it with what waits for it if there is no webhook any more.
  @Sendable static func prepare(_ services: Services) async throws {
    let isConfigured = services.configuration.push.webhook != nil
    guard try isConfigured != isKnown(services.database) else { return }
    let now = services.clock.now()
    let deleted: Int64 = try await services.database.write { transaction in
      if isConfigured {
        let device = Device(
          id: key,
          member: GlobalID(rawValue: 0),
          kind: .webhook,
          address: "",
          createdAt: Timestamp(now)
        )
        try transaction.run(add, device)
        return 0
      }
      let count = try transaction.reader.number(of: pushCount, key) ?? 0
      try transaction.run(QueuedPush.deleteDevice, key)
      return count
    }
    guard deleted > 0 else { return }
    services.log.notice(
      "HEARTH_WEBHOOK_URL is not set any more: the notifications in the webhook's queue were deleted.",
      metadata: ["count": "\(deleted)"]
    )
  }

  private static func isKnown(_ database: Database) throws -> Bool {
    let reader = try database.makeReader()
    defer { reader.endRead() }
    return try reader.hasRow(exists, key)
  }
}
