import Basics
import EventLoop

/// Measures how long new work waits for an event loop: once a second it enqueues a job on each loop.
final class LoopDelayProbe: Sendable {
  private static let bounds = [0.000_1, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5]

  /// The delays of each loop.
  let delays: [Histogram]
  private let loops: [EventLoop]

  init(_ loops: [EventLoop]) {
    self.loops = loops
    delays = loops.map { _ in Histogram(Self.bounds) }
  }

  /// Measures until the returned task is cancelled.
  func start() -> Task<Void, Never> {
    Task {
      await withTaskGroup { group in
        for (loop, delay) in zip(loops, delays) {
          group.addTask { await Self.measure(loop, delay: delay) }
        }
      }
    }
  }

  private static func measure(_ loop: EventLoop, delay: Histogram) async {
    while !Task.isCancelled {
      let start = MonotonicClock.nanoseconds
      guard let end = try? await loop.run({ MonotonicClock.nanoseconds }) else { return }
      delay.record(nanoseconds: end - start)
      try? await Task.sleep(for: .seconds(1))
    }
  }
}
