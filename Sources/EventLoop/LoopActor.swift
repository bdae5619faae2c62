/// An actor that runs on one event loop. Its `unownedExecutor` is the loop's, on which `assumeOnLoop` relies.
package protocol LoopActor: Actor {
  nonisolated var loop: EventLoop { get }
}

extension LoopActor {
  /// Runs `body` within the actor's isolation. The caller must be on the loop's thread, which is checked.
  ///
  /// Does what `assumeIsolated` does, which asks the runtime for the executor of the current thread. Four calls in each
  /// request were 1,750 of the 18,550 instructions of `{ __typename }`. The loop only compares the thread.
  @inlinable package nonisolated func assumeOnLoop<Result>(
    _ body: (isolated Self) throws -> Result
  ) rethrows -> Result {
    loop.checkIsolated()
    // Isolation is part of a function's type but not of how it is called, so the cast changes no behaviour. The
    // standard library's `assumeIsolated` consists of the same cast.
    return try withoutActuallyEscaping(body) { body in
      try unsafeBitCast(body, to: ((Self) throws -> Result).self)(self)
    }
  }

  /// The same for calls in every request, whose closure captures nothing: it gets `argument`.
  ///
  /// A closure that captures is copied to the heap, and again when the cast changes how it is passed: four allocations
  /// were 1,500 of the 15,300 instructions of `{ __typename }`. Here it is cast as a part of a structure, which passes
  /// it unchanged.
  @inlinable package nonisolated func assumeOnLoop<Argument: ~Copyable, Result: ~Copyable>(
    passing argument: borrowing Argument,
    _ body: @escaping (isolated Self, borrowing Argument) -> Result
  ) -> Result {
    loop.checkIsolated()
    let call = unsafeBitCast(IsolatedCall(body: body), to: UncheckedCall<Self, Argument, Result>.self)
    return call.body(self, argument)
  }
}

@usableFromInline struct IsolatedCall<Callee: Actor, Argument: ~Copyable, Result: ~Copyable> {
  let body: (isolated Callee, borrowing Argument) -> Result

  @usableFromInline init(body: @escaping (isolated Callee, borrowing Argument) -> Result) { self.body = body }
}

/// An `IsolatedCall` without the isolation.
@usableFromInline struct UncheckedCall<Callee: Actor, Argument: ~Copyable, Result: ~Copyable> {
  @usableFromInline let body: (Callee, borrowing Argument) -> Result
}
