/// What a test waited for did not happen in time.
private struct NotHappened: Error, CustomStringConvertible {
  let event: String
  let limit: Duration
  var description: String { "It did not happen within \(limit): \(event)" }
}

/// Checks a condition until it holds. Throws after a while, so that a regression fails the test and does not hang it.
///
/// - Parameters:
///   - event: What the test waits for. The error says that it did not happen.
///   - limit: The time after which the condition is not checked again. Machines that run tests may be slow.
package func waitUntil(
  _ event: String,
  atMost limit: Duration = .seconds(120),
  _ condition: () async throws -> Bool
) async throws {
  let deadline = ContinuousClock.now + limit
  while try await !condition() {
    guard ContinuousClock.now < deadline else { throw NotHappened(event: event, limit: limit) }
    await Task.yield()
  }
}
