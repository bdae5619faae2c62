import Basics
import Storage
import Synchronization

extension RequestContext {
  /// Runs `body` in a write transaction, after checking that the viewer's session is unchanged: it may have ended, or
  /// its member may have moved to another family while the write was queued. The snapshot is released first, so that
  /// later reads of this request see the write, and other requests on this loop do not read an old snapshot.
  func commit<Value: Sendable>(
    _ body: @escaping @Sendable (DatedWrite) throws -> Value
  ) async throws -> Value {
    willSuspend()
    let start = trace == nil ? 0 : MonotonicClock.nanoseconds
    trace?.writeWillBegin()
    do {
      let (value, measured) = try await services.database.write(
        about: viewer?.family.rawValue,
        lane: writeLane,
        checked(body)
      )
      trace?.writeDidEnd(since: start, hasFailed: false)
      if let measured {
        statementTimes.add(measured.times)
        eventPositions += measured.positions.withLock { $0 }
      }
      hasWritten = true
      // The write has read the session.
      uncheckedViewer = nil
      return value
    } catch {
      trace?.writeDidEnd(since: start, hasFailed: true)
      guard let error = error as? DatabaseError else { throw error }
      throw error.noteWriteFailure(in: services.outages) ?? error
    }
  }

  /// The writes of a family take turns with those of others, and so do those of networks without a session. Unknown
  /// networks have one lane.
  var writeLane: Int64 { viewer?.family.rawValue ?? client.map { Int64($0.lane.hashValue) } ?? 0 }

  /// A body of a write that happens at the time of the request, requires the session, removes pictures that nothing
  /// refers to any more, and is measured.
  private func checked<Value: Sendable>(
    _ body: @escaping @Sendable (DatedWrite) throws -> Value
  ) -> @Sendable (WriteTransaction) throws -> (Value, MeasuredWrite?) {
    let (pictures, viewer, recorder, now) = (services.pictures, viewer, trace, Timestamp(now))
    let hasIdempotencyKey = idempotentRun != nil
    return { transaction in
      if let recorder {
        recorder.writeDidBegin()
        transaction.reader.recorder = recorder
      }
      defer { if recorder != nil { transaction.reader.recorder = nil } }
      // Statements of writes before this one.
      let trace = transaction.reader.trace
      trace?.removeAll()
      try viewer?.requireUnchanged(transaction)
      let value = try body(DatedWrite(at: now, in: transaction, hasIdempotencyKey: hasIdempotencyKey))
      try pictures.removeUnused(transaction)
      // Now, so that these statements are measured too.
      try transaction.writeCollected()
      guard let trace else { return (value, nil) }
      let measured = MeasuredWrite(times: trace.take())
      transaction.afterCommit { events in measured.positions.withLock { $0 = Feed.positions(of: events) } }
      return (value, measured)
    }
  }
}
