import Basics

/// The work of the hub is done in turns, and each turn is short: an event for 10,000 members, one that 250 groups
/// execute, or 10,000 subscriptions that resume must not delay the other work of the loop.
extension SubscriptionHub {
  /// How long turns follow one another before the loop serves others, in nanoseconds.
  private static let workTime: UInt64 = 30_000

  func startWorking() {
    guard !isWorking else { return }
    isWorking = true
    spawn { [self] in await work() }
  }

  private func work() async {
    var end = MonotonicClock.nanoseconds + Self.workTime
    while takeTurn() {
      guard MonotonicClock.nanoseconds >= end else { continue }
      await pause()
      end = MonotonicClock.nanoseconds + Self.workTime
    }
    isWorking = false
  }

  /// Gives turns to the topics with work and to the subscriptions that replay, alternately, so that neither delay the
  /// others. Returns false if there is no work.
  private func takeTurn() -> Bool {
    turnWillBegin()
    isReplayNext.toggle()
    return isReplayNext ? advanceReplay() || advanceTopic() : advanceTopic() || advanceReplay()
  }
}
