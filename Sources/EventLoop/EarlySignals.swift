import Glibc
import Synchronization

/// Signals that arrive before a loop watches for them. The first one is stored, so that a process that is terminated
/// during startup ends as it would later.
package enum EarlySignals {
  /// Stores these signals from the return of this call on, except those that the process ignores. `EventLoop.signals`
  /// takes over without a gap: each signal reaches one of the two handlers.
  package static func remember(_ numbers: [Int32]) {
    // Initialized here, so that the signal handler does not have to.
    first.store(0, ordering: .relaxed)
    for number in numbers where !EventLoop.ignoresSignal(number) {
      var action = sigaction()
      action.__sigaction_handler.sa_handler = { number in
        _ = first.compareExchange(expected: 0, desired: number, ordering: .relaxed)
      }
      action.sa_flags = SA_RESTART
      sigaction(number, &action, nil)
    }
  }

  /// Returns and clears the stored signal; nil if there is none.
  package static func take() -> Int32? {
    let number = first.exchange(0, ordering: .relaxed)
    return number == 0 ? nil : number
  }
}

/// A lock-free number, which a signal handler can change.
private let first = Atomic<Int32>(0)
