/// A queued write. Its body runs in a transaction of its own, or in one that it shares with other writes (group
/// commit).
struct QueuedWrite: Sendable {
  struct Outcome {
    /// The error that the body threw.
    let error: (any Error)?
    /// Resumes the caller with the body's result or error.
    let answer: () -> Void
  }

  let domain: WriteDomain
  /// Runs the body. The outcome may be answered once the transaction is committed or rolled back.
  let run: @Sendable (ServerTransaction) -> Outcome
  /// Resumes the caller with an error: the changes of the body are not stored.
  let fail: @Sendable (any Error) -> Void

  init<Value: Sendable>(
    about domain: WriteDomain,
    _ body: @escaping @Sendable (ServerTransaction) throws -> Value,
    resuming caller: CheckedContinuation<Value, any Error>
  ) {
    self.domain = domain
    run = { transaction in
      do {
        let value = try body(transaction)
        return Outcome(error: nil) { caller.resume(returning: value) }
      } catch {
        return Outcome(error: error) { caller.resume(throwing: error) }
      }
    }
    fail = { error in caller.resume(throwing: error) }
  }
}
