import Synchronization

/// A value that changes on any thread, and that a test waits for.
package final class Watched<Value: Sendable>: Sendable {
  private struct State {
    var value: Value
    var waiting: [(isAwaited: @Sendable (Value) -> Bool, continuation: CheckedContinuation<Void, Never>)] = []
  }
  private let state: Mutex<State>

  package init(_ value: Value) { state = Mutex(State(value: value)) }

  package var value: Value { state.withLock { $0.value } }

  package func set(_ value: Value) { update { $0 = value } }

  /// - Parameter change: called with the lock held. It must not use this object.
  package func update(_ change: (inout Value) -> Void) {
    let met = state.withLock { state in
      change(&state.value)
      let value = state.value
      let met = state.waiting.filter { $0.isAwaited(value) }
      state.waiting.removeAll { $0.isAwaited(value) }
      return met
    }
    for waiting in met { waiting.continuation.resume() }
  }

  /// - Parameter isAwaited: called with the lock held. It must not use this object.
  package func wait(until isAwaited: @escaping @Sendable (Value) -> Bool) async {
    await withCheckedContinuation { continuation in
      let isMet = state.withLock { state in
        if !isAwaited(state.value) { state.waiting.append((isAwaited, continuation)) }
        return isAwaited(state.value)
      }
      if isMet { continuation.resume() }
    }
  }
}
