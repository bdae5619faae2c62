import Glibc
import Synchronization

/// Runs what blocks on a thread of its own: the threads that Swift runs tests on are few, and a blocked one may be the
/// one that its peer waits for.
package final class TestThread<Result: Sendable>: Sendable {
  private let result = Mutex<Swift.Result<Result, any Error>?>(nil)
  private let isDone = Gate()

  package init(_ body: @escaping @Sendable () throws -> Result) {
    let start = Start { [self] in
      let outcome = Swift.Result { try body() }
      result.withLock { $0 = outcome }
      isDone.open()
    }
    var thread = pthread_t()
    pthread_create(
      &thread,
      nil,
      { argument in
        guard let argument else { return nil }
        Unmanaged<Start>.fromOpaque(argument).takeRetainedValue().run()
        return nil
      },
      Unmanaged.passRetained(start).toOpaque()
    )
    pthread_detach(thread)
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

private final class Start {
  let run: @Sendable () -> Void
  init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}
