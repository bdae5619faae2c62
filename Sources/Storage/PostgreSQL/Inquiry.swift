import PostgreSQL

/// Statements of one request that a PostgreSQL server answers in one round trip. Confined to the loop.
final class Inquiry {
  enum Outcome {
    /// The batch has been answered.
    case answered(Batch)
    case failed(PostgreSQLError)
    /// A statement of another request has failed, and with it the snapshot that both shared.
    case interrupted
  }

  let entries: [Batch.Entry]
  /// Whether the request can begin again in a snapshot of its own if it loses the one that it reads in.
  let isShareable: Bool
  /// Whether the request must know the version of its snapshot.
  let isVersioned: Bool
  /// The snapshot in which the statements are executed; nil until they are sent.
  var snapshot: SharedSnapshot?
  /// Where the results are in those of the batch.
  var range = 0..<0
  /// When the statements were sent.
  var sentAt: ContinuousClock.Instant?
  /// Nil until the outcome is known.
  private(set) var outcome: Outcome?
  private var caller: UnsafeContinuation<Void, Never>?
  private var isAwake = false

  init(_ entries: [Batch.Entry], isShareable: Bool, isVersioned: Bool = false) {
    self.entries = entries
    self.isShareable = isShareable
    self.isVersioned = isVersioned
  }

  /// Suspends the caller until `wake()`. That may have been called already, also since this method was: other jobs of
  /// the loop can run before the caller is suspended.
  func wait() async {
    await withUnsafeContinuation { continuation in
      if isAwake { continuation.resume() } else { caller = continuation }
    }
    isAwake = outcome != nil
  }

  func wake() {
    isAwake = true
    let waiting = caller
    caller = nil
    waiting?.resume()
  }

  func end(_ outcome: Outcome) {
    self.outcome = outcome
    wake()
  }
}
