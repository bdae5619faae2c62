import Synchronization
import TestSupport

@testable import Hearth

/// A clock that only advances on request. It starts on 21 November 2026 at 08:00 UTC.
final class TestClock: Sendable {
  private struct State {
    var now: Int64
    /// By how much the clock was set, without time having passed.
    var setBy: Int64 = 0
    var count = 0
    var watchers: [(until: Int64, gate: Gate)] = []
    var sleepers: [Int: (until: Int64, continuation: CheckedContinuation<Void, any Error>)] = [:]
  }

  private let state: Mutex<State>

  private let settlingTime: Int64?

  /// - Parameter settlingTime: in milliseconds; nil if erasures, removals of parents and sweeps do not wait until the
  ///   clock is settled.
  init(_ start: Int64 = 1_795_248_000_000, settlingTime: Int64? = nil) {
    state = Mutex(State(now: start))
    self.settlingTime = settlingTime
  }

  var clock: Clock {
    let settling = settlingTime.map { length in
      Clock.Settling(length: length, elapsed: { self.state.withLock { $0.now - $0.setBy } })
    }
    return Clock({ self.state.withLock { $0.now } }, settling: settling) { moment, seen in
      try await self.sleep(until: moment, since: seen)
    }
  }

  /// Wakes the sleepers whose time has come; all wake up when the clock is set back.
  func advance(seconds: Int64) { move(seconds: seconds, isSet: false) }

  /// Sets the clock, without time having passed.
  func set(forwardByDays days: Int64) { move(seconds: days * 86_400, isSet: true) }

  private func move(seconds: Int64, isSet: Bool) {
    let woken = state.withLock { state in
      state.now += seconds * 1000
      if isSet { state.setBy += seconds * 1000 }
      let woken = state.sleepers.filter { seconds < 0 || $0.value.until <= state.now }
      for number in woken.keys { state.sleepers[number] = nil }
      return woken.values.map(\.continuation)
    }
    for sleeper in woken { sleeper.resume() }
  }

  func advance(days: Int64) { advance(seconds: days * 86_400) }

  /// Returns once a caller waits for this moment.
  func whenSomebodySleeps(until moment: Int64) async {
    let gate = Gate()
    state.withLock { state in
      state.watchers.append((moment, gate))
      if state.sleepers.values.contains(where: { $0.until == moment }) { gate.open() }
    }
    await gate.pass()
  }

  private func sleep(until moment: Int64, since seen: Int64) async throws {
    let number = state.withLock { state in
      state.count += 1
      return state.count
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let result: Result<Void, any Error>? = state.withLock { state in
          if Task.isCancelled { return .failure(CancellationError()) }
          if moment <= state.now || state.now < seen { return .success(()) }
          state.sleepers[number] = (moment, continuation)
          for watcher in state.watchers where watcher.until == moment { watcher.gate.open() }
          return nil
        }
        if let result { continuation.resume(with: result) }
      }
    } onCancel: {
      let sleeper = state.withLock { $0.sleepers.removeValue(forKey: number) }
      sleeper?.continuation.resume(throwing: CancellationError())
    }
  }
}
