import Basics
import Synchronization

/// Runs what blocks on a thread of its own: the threads that Swift runs tests on are few, and a blocked one may be the
/// one that its peer waits for.
package final class TestThread<Result: Sendable>: Sendable {
  private let result = Mutex<Swift.Result<Result, any Error>?>(nil)
  private let isDone = Gate()

  package init(_ body: @escaping @Sendable () throws -> Result) {
    let start: @Sendable () -> Void = { [self] in
      let outcome = Swift.Result { try body() }
      result.withLock { $0 = outcome }
      isDone.open()
    }
    do throws(SystemThread.StartError) {
      try SystemThread.startDetached(name: "test", start)
    } catch {
      preconditionFailure("The system did not start a thread (error \(error.code)).")
    }
  }

  package var value: Result {
    get async throws {
      await isDone.pass()
      guard let result = result.withLock({ $0 }) else {
        preconditionFailure("the gate opens after the result is there")
      }
      return try result.get()
    }
  }
}
