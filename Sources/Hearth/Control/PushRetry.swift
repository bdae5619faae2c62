import Storage

/// `hearth push retry`: sends pushes now that failed or are tried again later.
package struct PushRetry: OperatorCommand, ServedCommand {
  /// Pushes that are tried again later. Those that wait for the end of quiet hours stay. Their days of attempts begin
  /// again.
  static let allRetried = SQL<(channel: PushChannel, now: Timestamp)>(
    """
    UPDATE push SET due_at = \(\.now), created_at = \(\.now), attempts = 0 \
    WHERE kind = \(\.channel) AND due_at > \(\.now) AND attempts > 0
    """
  )
  static let allFailed = SQL<(now: Timestamp, limit: Int64)>(
    """
    UPDATE push SET due_at = \(\.now), created_at = \(\.now), attempts = 0, failed_at = NULL, failure = NULL \
    WHERE id IN (SELECT id FROM push WHERE failed_at IS NOT NULL LIMIT \(\.limit))
    """
  )
  /// A push that is tried again later or has failed. Its days of attempts begin again.
  static let one = SQL<(number: Int64, now: Timestamp)>(
    """
    UPDATE push SET due_at = \(\.now), created_at = \(\.now), attempts = 0, failed_at = NULL, failure = NULL \
    WHERE id = \(\.number) AND (attempts > 0 OR failed_at IS NOT NULL)
    """
  )
  private static let maximumAtOnce: Int64 = 1_000

  package struct Response: Codable, Sendable {
    /// The number of pushes that are sent now.
    package let pushes: Int
  }

  package static let words = "push retry"

  /// The number of a push; nil for all that are tried again later.
  package let number: Int?
  /// Whether all that have failed are meant.
  package let failed: Bool

  package init(number: Int?, failed: Bool) {
    self.number = number
    self.failed = failed
  }

  func run(on server: ControlledServer) async throws -> Response {
    let count = try await retried(on: server)
    server.services.resumePushes()
    if count > 0 { server.log("has had \(count) notifications sent again.") }
    return Response(pushes: count)
  }

  private func retried(on server: ControlledServer) async throws -> Int {
    let now = Timestamp(server.now)
    if let number {
      return try await server.write { transaction in
        try transaction.run(Self.one, (number: Int64(number), now: now))
        guard transaction.changedRows > 0 else {
          throw CommandFailure("No notification with the number \(number) has failed or is tried again later.")
        }
        return 1
      }
    }
    guard failed else {
      return try await server.write { transaction in
        try PushChannel.allCases.reduce(0) { count, channel in
          try transaction.run(Self.allRetried, (channel: channel, now: now))
          return count + transaction.changedRows
        }
      }
    }
    return try await server.write(inPortionsOf: Self.maximumAtOnce) { transaction in
      try transaction.run(Self.allFailed, (now: now, limit: Self.maximumAtOnce))
    }
  }
}
