import Foundation
import Storage
import TestSupport

@testable import Hearth

extension TestServer {
  /// Sends requests that change something so that all of them have been admitted, and wait to be written in the order
  /// of the list, before the first of them is.
  func atOnce(_ requests: [@Sendable () async throws -> Outcome]) async throws -> [Outcome] {
    await deliverMail()
    let tasks = try await holdingWrites {
      var tasks: [Task<Outcome, any Error>] = []
      // Writes of the server itself can be waiting as well.
      let others = services.database.waitingWrites
      // A request that is rejected writes nothing.
      let ended = Counter()
      for request in requests {
        tasks.append(
          Task {
            defer { ended.increment() }
            return try await request()
          }
        )
        while services.database.waitingWrites + ended.count < others + tasks.count { await Task.yield() }
      }
      return tasks
    }
    var outcomes: [Outcome] = []
    for task in tasks { outcomes.append(try await task.value) }
    return outcomes
  }

  /// Runs `body` while another write keeps all others waiting, for at most a minute.
  func holdingWrites<Result>(_ body: () async throws -> Result) async throws -> Result {
    let (hasBegun, mayEnd) = (Gate(), DispatchSemaphore(value: 0))
    let writing = Task { [database = services.database] in
      try await database.write { _ in
        hasBegun.open()
        guard mayEnd.wait(timeout: .now() + 60) == .success else { throw HeldTooLong() }
      }
    }
    await hasBegun.pass()
    let result: Result
    do {
      defer { mayEnd.signal() }
      result = try await body()
    }
    try await writing.value
    return result
  }

  /// What should have happened while writes were held has not.
  struct HeldTooLong: Error {}
}
