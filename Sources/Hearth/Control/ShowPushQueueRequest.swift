import Foundation
import Storage

/// `hearth push queue`: the channels of notifications, and the pushes that wait, are tried again later, or have failed.
package struct ShowPushQueueRequest: OperatorCommand, ServedCommand {
  /// The columns of a `Push`.
  private static let columns =
    "id, subject_id, recipient_id, device_id, created_at, attempts, due_at, failed_at, failure"

  /// Those that are due first.
  static let waiting = SQL<(channel: PushChannel, limit: Int64)>(
    """
    SELECT \(sql: columns) FROM push \
    WHERE kind = \(\.channel) AND due_at IS NOT NULL ORDER BY due_at LIMIT \(\.limit)
    """
  )
  /// The newest.
  static let failed = SQL<Int64>(
    """
    SELECT \(sql: columns), kind FROM push \
    WHERE failed_at IS NOT NULL ORDER BY failed_at DESC LIMIT \(\.self)
    """
  )

  package struct Push: Codable, Sendable {
    package let number: Int
    /// `web`, `apple`, `google` or `webhook`; `unknown` for any other one.
    package let channel: String
    /// The type of the notification in the schema.
    package let type: String
    package let state: QueueState
    /// The id of the member who is notified.
    package let member: String
    /// The id of the device; nil for the webhook.
    package let device: String?
    package let createdAt: Date
    package let attempts: Int
    /// When it is sent, or tried again.
    package let nextAttemptAt: Date?
    package let failedAt: Date?
    package let failure: String?
  }

  package struct Response: Codable, Sendable {
    package let channels: [ServerStatus.Pushes]
    /// At most as many as requested of each channel, and of those that failed.
    package let pushes: [Push]
  }

  package static let words = "push queue"

  package let limit: Int

  package init(limit: Int) { self.limit = limit }

  func run(on server: ControlledServer) async throws -> Response {
    let limit = Int64(ListLimit.clamped(limit))
    let (cipher, delivery) = (server.services.cipher, server.pushes)
    return try await server.read { reader in
      var pushes: [Push] = []
      for channel in PushChannel.allCases {
        pushes += try reader.all(of: Self.waiting, (channel: channel, limit: limit)) { row in
          Push(row, channel: channel, cipher: cipher)
        }
      }
      pushes += try reader.all(of: Self.failed, limit) { row in
        Push(row, channel: PushChannel(rawValue: row.int64(9)), cipher: cipher)
      }
      return Response(channels: delivery.overview(try DataCounts(reader)), pushes: pushes)
    }
  }
}

extension ShowPushQueueRequest.Push {
  fileprivate init(_ row: Row, channel: PushChannel?, cipher: IdentifierCipher) {
    number = Int(row.int64(0))
    self.channel = channel?.name ?? "unknown"
    type = row.key(1).kind?.typeName ?? "unknown"
    member = cipher.text(of: row.key(2))
    device = channel == .webhook ? nil : cipher.text(of: row.key(3))
    createdAt = row.date(4)
    attempts = Int(row.int64(5))
    nextAttemptAt = row.optionalDate(6)
    failedAt = row.optionalDate(7)
    failure = row.optionalString(8)
    state = if failedAt != nil { .failed } else if attempts > 0 { .retrying } else { .waiting }
  }
}

extension PushDelivery {
  /// What operators see of each channel.
  ///
  /// - Parameter counts: nil if the database cannot be read.
  func overview(_ counts: DataCounts?) -> [ServerStatus.Pushes] {
    channels.map { channel in
      let current = channel.counts
      return ServerStatus.Pushes(
        channel: channel.channel.name,
        waiting: counts.map { $0.waitingPushes[channel.channel] ?? 0 },
        failed: counts.map { $0.failedPushes[channel.channel] ?? 0 },
        sent: current.sent,
        failedAttempts: current.failedAttempts,
        expiredDevices: current.expiredDevices,
        pausedUntil: current.pausedUntil.map { Date(milliseconds: $0) },
        lastFailure: current.lastFailure
      )
    }
  }
}
