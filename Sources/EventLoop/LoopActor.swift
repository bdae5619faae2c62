/// An actor that runs on one event loop. Its `unownedExecutor` is the loop's, on which `assumeOnLoop` relies.
package protocol LoopActor: Actor {
  nonisolated var loop: EventLoop { get }

  /// Checks that the caller is on the loop's thread. Actors that are called in every request implement it by the same
  /// call as the default: in generic code, `loop` is retained, and the default looks metadata up.
  nonisolated func checkOnLoop()
}

extension LoopActor {
  @inlinable package nonisolated func checkOnLoop() { loop.checkIsolated() }

  /// Runs `body` within the actor's isolation. The caller must be on the loop's thread, which is checked.
  ///
  /// Does what `assumeIsolated` does, which asks the runtime for the executor of the current thread. Four calls in each
  /// request were 1,750 of the 18,550 instructions of `{ __typename }`. The loop only compares the thread.
  @inlinable package nonisolated func assumeOnLoop<Result>(
    _ body: (isolated Self) throws -> Result
  ) rethrows -> Result {
    checkOnLoop()
    // Isolation is part of a function's type but not of how it is called, so the cast changes no behaviour. The
    // standard library's `assumeIsolated` consists of the same cast.
    return try withoutActuallyEscaping(body) { body in
      try unsafeBitCast(body, to: ((Self) throws -> Result).self)(self)
    }
  }
}
