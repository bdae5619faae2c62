import Basics

/// A connection whose socket an event loop watches. Confined to the loop's thread.
package final class LoopConnection {
  private let pipeline: PipelineConnection
  private var watch: (any DescriptorWatch)?
  /// Since when callers wait for the server's next answer; nil if none does.
  private var waitingSince: ContinuousClock.Instant?
  /// When the server last answered a caller of `ask`.
  package private(set) var answeredAt: ContinuousClock.Instant?

  /// Whether the owner has begun a snapshot that it has not ended.
  package var hasSnapshot = false

  /// Must be called on the thread of the loop, with a connection that was opened elsewhere.
  package init(_ pipeline: PipelineConnection, on loop: some DescriptorWatcher) throws {
    self.pipeline = pipeline
    watch = try loop.makeWatch(of: pipeline.descriptor) { [weak self] _ in self?.advance() }
    watch?.watch(for: pipeline.wantedEvents)
  }

  deinit { watch?.stop() }

  /// Why the connection can no longer be used. An idle connection learns it when the server closes it.
  package var failure: PostgreSQLError? { pipeline.failure }

  /// Whether the outcome of a batch is unknown.
  package var isBusy: Bool { pipeline.isBusy }

  package var isInTransaction: Bool { pipeline.isInTransaction }

  package var backendID: Int { pipeline.backendID }

  /// Sends a batch, and calls `action` when its outcome is known: within this call if the connection fails, and
  /// otherwise when the loop has read its results. Batches are executed in the order in which they are submitted.
  package func ask(_ batch: Batch, at now: ContinuousClock.Instant = .now, _ action: @escaping () -> Void) {
    pipeline.countRoundTrip()
    if waitingSince == nil { waitingSince = now }
    batch.whenDone = { [self] in
      let now = ContinuousClock.now
      waitingSince = isBusy ? now : nil
      if failure == nil { answeredAt = now }
      action()
    }
    submit(batch)
  }

  /// Closes the connection, and fails its batches as `timedOut`, if callers of `ask` have waited for an answer for
  /// longer than `limit`. The server's own limits do not end a batch when its machine stops, or is cut off.
  package func giveUp(after limit: Duration, at now: ContinuousClock.Instant) {
    guard let waitingSince, now - waitingSince > limit else { return }
    pipeline.lose(.timedOut, reason: "The database server did not answer within \(limit).")
    stopWatching()
  }

  /// Sends a batch without waiting for its outcome, such as COMMIT after reads.
  package func send(_ batch: Batch) { submit(batch) }

  /// Closes the connection. Running batches fail.
  package func close() {
    pipeline.lose(.closed, reason: "The connection was closed.")
    stopWatching()
  }

  private func submit(_ batch: Batch) {
    pipeline.submit(batch)
    update()
  }

  private func advance() {
    pipeline.advance()
    update()
  }

  private func update() {
    if pipeline.failure == nil { watch?.watch(for: pipeline.wantedEvents) } else { stopWatching() }
  }

  private func stopWatching() {
    watch?.stop()
    watch = nil
  }
}
