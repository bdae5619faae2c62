/// A method of an actor on an event loop, for calls in every request: a call does what `assumeOnLoop` does. It is made
/// once, because it allocates memory.
///
/// A closure that captures is copied to the heap for `assumeOnLoop`, and again when the cast changes how it is passed:
/// four allocations were 1,500 of the 15,300 instructions of `{ __typename }`. Here it is cast as a part of a
/// structure, which passes it unchanged. In a generic type, a closure always captures the type's parameters.
package struct LoopCall<Callee: LoopActor, Argument: ~Copyable, Result: ~Copyable> {
  private let unchecked: UncheckedCall<Callee, Argument, Result>

  package init(_ body: @escaping (isolated Callee, borrowing Argument) -> Result) {
    unchecked = unsafeBitCast(IsolatedCall(body: body), to: UncheckedCall<Callee, Argument, Result>.self)
  }

  /// The caller must be on the loop's thread, which is checked.
  package func call(on callee: Callee, with argument: borrowing Argument) -> Result {
    callee.checkOnLoop()
    return unchecked.body(callee, argument)
  }
}

private struct IsolatedCall<Callee: Actor, Argument: ~Copyable, Result: ~Copyable> {
  let body: (isolated Callee, borrowing Argument) -> Result
}

/// An `IsolatedCall` without the isolation.
private struct UncheckedCall<Callee: Actor, Argument: ~Copyable, Result: ~Copyable> {
  let body: (Callee, borrowing Argument) -> Result
}
