/// A write that waits for its turn.
struct PendingWrite: Sendable {
  /// Runs the body. What came of it is told to the caller by the outcome's `answer`, once and after the commit.
  let run: @Sendable (WriteTransaction) -> Outcome
  /// Tells the caller that the body's effect is not stored.
  let refuse: @Sendable (DatabaseError) -> Void

  struct Outcome {
    /// What the body threw.
    let error: (any Error)?
    /// Resumes the caller with the body's result or error, or with what the transaction failed of.
    let answer: (DatabaseError?) -> Void
  }

  init<Value: Sendable>(
    _ body: @escaping @Sendable (WriteTransaction) throws -> Value,
    resuming caller: CheckedContinuation<Value, any Error>
  ) {
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
    refuse = { failure in caller.resume(throwing: failure) }
  }
}
