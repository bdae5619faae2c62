import Storage

/// `hearth push retry`: sends pushes now that failed or are tried again later.
package struct RetryPushRequest: OperatorCommand, RetryRequest {
  typealias Part = PushChannel

  /// Pushes that are tried again later. Those that wait for the end of quiet hours stay. Their days of attempts begin
  /// again.
  static let allRetried = SQL<(part: PushChannel, now: Timestamp)>(
    """
    UPDATE push SET due_at = \(\.now), created_at = \(\.now), attempts = 0 \
    WHERE kind = \(\.part) AND due_at > \(\.now) AND attempts > 0
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

  package struct Response: Codable, Sendable {
    /// The number of pushes that are sent now.
    package let pushes: Int
  }

  static let noun = "notification"

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
    let count = try await retryEntries(on: server)
    try await server.services.resumePushes()
    if count > 0 { server.log("has had \(count) notifications sent again.") }
    return Response(pushes: count)
  }
}
