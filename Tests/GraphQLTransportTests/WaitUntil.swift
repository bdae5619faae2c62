/// What a test waited for did not happen in time.
private struct NotHappened: Error, CustomStringConvertible {
  let event: String
  var description: String { "It did not happen within 30 s: \(event)" }
}

/// Checks a condition until it holds. Throws after 30 s, so that a regression fails the test and does not hang it.
///
/// - Parameter event: What the test waits for. The error says that it did not happen.
func waitUntil(_ event: String, _ condition: () async throws -> Bool) async throws {
  let deadline = ContinuousClock.now + .seconds(30)
  while try await !condition() {
    guard ContinuousClock.now < deadline else { throw NotHappened(event: event) }
    await Task.yield()
  }
}
