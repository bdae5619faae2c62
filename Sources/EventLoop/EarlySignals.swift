import Glibc
import Synchronization

/// Signals that come before a loop watches for them: the first is remembered, so that a process which is told to end
/// while it starts ends as it would later.
package enum EarlySignals {
  /// Remembers these signals from the return of this call on, but for those that the process is to ignore.
  /// `EventLoop.signals` takes over without a gap: a signal meets one handler or the other.
  package static func remember(_ numbers: [Int32]) {
    // Made here, so that the handler finds it made.
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

  /// The first that came; nil where none has, or it was taken.
  package static func take() -> Int32? {
    let number = first.exchange(0, ordering: .relaxed)
    return number == 0 ? nil : number
  }
}

/// A lock-free number, which a signal's handler may change.
private let first = Atomic<Int32>(0)
