import EventLoop
import GraphQL

/// The turns of a loop's requests whose new documents take long to prepare.
///
/// A loop has one document prepared at a time. Requests that wait with the same document therefore find it in the plan
/// cache when their turn comes, and at most one prepared document waits for the loop, however many requests arrive at
/// once. Callers take turns. Confined to the loop.
final class PreparationTurns {
  /// A document that could not be prepared.
  struct Failure {
    let document: [UInt8]
    let operationName: String?
    let allowsIntrospection: Bool
    let errors: GraphQLErrors
  }

  private typealias Turn = UnsafeContinuation<Void, any Error>

  private let limit: Int
  private var waiting = FairQueue<Turn>(laneLimit: .max)
  private var isTaken = false
  /// The latest failure, for the requests that wait with the same document. Forgotten when none waits.
  private var failure: Failure?

  /// - Parameter limit: The maximum number of requests that wait.
  init(limit: Int = 1024) { self.limit = limit }

  var waitingCount: Int { waiting.count }

  /// Waits for a turn. Afterwards `end()` must be called, unless this throws.
  ///
  /// - Throws: `WorkerPool.Overloaded` if too many requests wait, or `CancellationError` if the client has gone.
  func begin(in lane: WorkLane) async throws {
    if isTaken {
      try await withUnsafeThrowingContinuation { turn in
        switch waiting.append(turn, to: lane, limit: limit) {
        case .accepted: break
        case .displaced(let other): other.resume(throwing: WorkerPool.Overloaded())
        case .rejected: turn.resume(throwing: WorkerPool.Overloaded())
        }
      }
    }
    isTaken = true
    if Task.isCancelled {
      end()
      throw CancellationError()
    }
  }

  func end() {
    if let next = waiting.popFirst() { return next.resume() }
    isTaken = false
    failure = nil
  }

  func record(_ failure: Failure) { self.failure = failure }

  /// The errors of the document if the request before had the same one.
  func errors(of document: [UInt8], named name: String?, allowsIntrospection: Bool) -> GraphQLErrors? {
    guard let failure, failure.operationName == name, failure.allowsIntrospection == allowsIntrospection,
      failure.document == document
    else { return nil }
    return failure.errors
  }
}
