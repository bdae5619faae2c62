import EventLoop
import GraphQL
import GraphQLTransport
import Storage
import Synchronization

/// Runs executions that would block an event loop: one at a time, on a thread with its own reader and the idle
/// scheduling policy, so that a loop that wakes has the processor at once.
///
/// Callers take turns, however many executions each of them has queued. The number of queued executions is bounded per
/// caller and in total; further ones are rejected as `OVERLOADED`.
final class SlowLane: Sendable {
  enum Caller: Hashable, Sendable {
    /// The members of a family together: an account can add many children.
    case family(GlobalID)
    case network(ClientNetwork)
    case unknown
  }

  /// `@unchecked Sendable`: only the lane's single thread uses the reader.
  private struct LaneReader: @unchecked Sendable {
    let reader: Reader
  }

  private static let maximumWaiting = 64
  static let maximumOfCaller = 8

  private let thread: WorkerPool
  private let database: Database
  private let opened = Mutex<LaneReader?>(nil)

  init(_ database: Database) throws(SystemError) {
    self.database = database
    thread = try WorkerPool(
      threads: 1,
      queueLimit: Self.maximumWaiting,
      laneLimit: Self.maximumOfCaller,
      priority: .idle
    )
  }

  /// Runs `body` when it is the caller's turn, and returns when it has finished.
  ///
  /// - Throws: A `FieldError` if too much is waiting, or if the client has gone, or the `DatabaseError` of opening the
  ///   reader. Then `body` was not run.
  func run(for caller: Caller, _ body: @escaping @Sendable (Reader) -> Void) async throws {
    do {
      try await thread.runUnlessCancelled(in: WorkLane(kind: 0, client: caller.hashValue)) { [self] in
        let reader = try openReader()
        body(reader)
        reader.endRead()
      }
    } catch is CancellationError {
      throw FieldError.clientHasLeft
    } catch is WorkerPool.Overloaded {
      throw FieldError.tooMuchIsRead
    }
  }

  /// The number of queued executions.
  var waitingCount: Int { thread.waitingCount }

  /// Returns when the queued executions have finished.
  func stop() {
    thread.stop()
    opened.withLock { $0 = nil }
  }

  private func openReader() throws -> Reader {
    if let reader = opened.withLock({ $0 }) { return reader.reader }
    let reader = try database.makeRequestReader()
    let opening = LaneReader(reader: reader)
    opened.withLock { $0 = opening }
    return opening.reader
  }
}

extension FieldError {
  static let clientHasLeft = FieldError(
    "The client ended its connection while the request was waiting.",
    code: .requestCancelled
  )
  static let tooMuchIsRead = FieldError(
    "Too much is being read at this moment: try again in a few seconds.",
    code: .overloaded,
    retryAfter: 5
  )
}
