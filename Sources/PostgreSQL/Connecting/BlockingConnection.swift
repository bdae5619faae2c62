import Basics
import Glibc

/// A connection whose callers wait on their thread for the results.
package final class BlockingConnection {
  package let pipeline: PipelineConnection
  /// The time that a batch may take. The server's own limits should be shorter.
  private let timeout: Duration

  package init(_ pipeline: PipelineConnection, timeout: Duration = .seconds(15)) {
    self.pipeline = pipeline
    self.timeout = timeout
  }

  /// Sends a batch without waiting for its results. It is sent completely by the next `run`.
  package func submit(_ batch: Batch) { pipeline.submit(batch) }

  /// Sends a batch and waits until its outcome, and that of those submitted before, is known.
  @discardableResult
  package func run(_ batch: Batch) throws(PostgreSQLError) -> [ResultRows] {
    pipeline.countRoundTrip()
    return try runUncounted(batch)
  }

  /// The same for a batch that belongs to opening the connection.
  @discardableResult
  func runUncounted(_ batch: Batch) throws(PostgreSQLError) -> [ResultRows] {
    pipeline.submit(batch)
    let deadline = Deadline(after: timeout)
    while !batch.isDone {
      var events = Int16(POLLIN)
      if pipeline.wantedEvents.contains(.writable) { events |= Int16(POLLOUT) }
      if deadline.wait(for: events, on: pipeline.descriptor) == nil {
        let limit = timeout.millisecondsRoundedUp
        pipeline.lose(.timedOut, reason: "The database server did not answer within \(limit) ms.")
      } else {
        pipeline.advance()
      }
    }
    if let failure = batch.failure { throw failure }
    return batch.results
  }

  /// The same for one statement.
  @discardableResult
  package func run(
    _ statement: ServerStatement,
    _ parameters: ParameterBuffer = ParameterBuffer()
  ) throws(PostgreSQLError) -> ResultRows {
    let batch = Batch()
    batch.append(statement, parameters)
    return try run(batch)[0]
  }

  @discardableResult
  package func run(_ text: String) throws(PostgreSQLError) -> ResultRows { try run(ServerStatement(text)) }
}
