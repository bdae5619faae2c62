/// A queued write.
struct PendingWrite: Sendable {
  /// The key of those with whose writes it waits in order (`WriteQueue`). Nil for the server's own writes.
  let lane: Int64?
  /// Runs the body. The outcome's `answer` passes its result to the caller, once, after the commit.
  let run: @Sendable (WriteTransaction) -> Outcome
  /// Resumes the caller with an error: the changes of the body are not stored.
  let fail: @Sendable (DatabaseError) -> Void

  struct Outcome {
    /// The error that the body threw.
    let error: (any Error)?
    /// Resumes the caller with the body's result or error, or with the error of the transaction.
    let answer: (DatabaseError?) -> Void
  }

  init<Value: Sendable>(
    in lane: Int64?,
    _ body: @escaping @Sendable (WriteTransaction) throws -> Value,
    resuming caller: UnsafeContinuation<Value, any Error>
  ) {
    self.lane = lane
    run = { transaction in
      do {
        let value = try body(transaction)
        return Outcome(error: nil) { failure in
          if let failure { caller.resume(throwing: failure) } else { caller.resume(returning: value) }
        }
      } catch {
        return Outcome(error: error) { failure in caller.resume(throwing: failure ?? error) }
      }
    }
    fail = { failure in caller.resume(throwing: failure) }
  }
}
