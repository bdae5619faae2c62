import Synchronization

@testable import Hearth

/// A clock that goes only when it is told to. It begins on 21 November 2026 at 08:00 UTC.
final class TestClock: Sendable {
  private let milliseconds: Atomic<Int64>

  init(_ start: Int64 = 1_795_248_000_000) { milliseconds = Atomic(start) }

  var clock: Clock { Clock { self.milliseconds.load(ordering: .sequentiallyConsistent) } }

  func advance(seconds: Int64) { milliseconds.add(seconds * 1000, ordering: .sequentiallyConsistent) }
  func advance(days: Int64) { advance(seconds: days * 86_400) }
}
