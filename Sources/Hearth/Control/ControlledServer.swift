import EventLoop
import Foundation
import GraphQLTransport
import Logging
import Storage

/// What the commands of operators can see and change.
struct ControlledServer: Sendable {
  let services: Services
  let mail: MailDelivery
  let pushes: PushDelivery
  let live: LiveCounts
  let version: String
  /// The number of open connections.
  let connections: @Sendable () -> Int
  /// The data folder.
  let directory: String
  /// The URL of the endpoint.
  let endpoint: String
  /// Composes the mails of commands, and has the addresses of links.
  let composer: MailComposer
  let startedAt: Date
  /// Reads that could take long do not run on the event loop, nor wait for those of clients.
  let worker: WorkerPool

  var now: Int64 { services.clock.now() }

  /// Runs `body` on the worker thread, in a snapshot of its own.
  func read<Value: Sendable>(_ body: @escaping @Sendable (Reader) throws -> Value) async throws -> Value {
    let database = services.database
    return try await worker.run {
      let reader = try database.makeCountingReader()
      defer { reader.endRead() }
      return try body(reader)
    }
  }

  func write<Value: Sendable>(
    _ body: @escaping @Sendable (DatedWrite) throws -> Value
  ) async throws -> Value {
    let now = Timestamp(now)
    return try await services.database.write { transaction in try body(DatedWrite(at: now, in: transaction)) }
  }

  /// Runs a statement that changes at most `limit` rows until it changes fewer, each time in a write of its own, so
  /// that other writes come between. Returns the number of changed rows.
  func write(
    inPortionsOf limit: Int64,
    _ statement: @escaping @Sendable (DatedWrite) throws -> Void
  ) async throws -> Int {
    var (count, changed) = (0, 0)
    repeat {
      changed = try await write { write in
        try statement(write)
        return write.transaction.changedRows
      }
      count += changed
    } while changed == limit
    return count
  }

  /// Records a change by an operator in the log.
  func log(_ sentence: String, subject: GlobalID? = nil) {
    let id = subject.map { services.cipher.text(of: $0) }
    services.log.notice("An operator \(sentence)", metadata: id.map { ["id": "\($0)"] } ?? [:])
  }
}
