import Basics
import CLibUV

/// A timer of a loop. Each start costs one call of libuv.
package final class LoopTimer: LoopHandle, WatcherTimer {
  private var action: (() -> Void)?

  /// - Parameter action: Called on the loop's thread each time the timer fires. Released when the timer is closed.
  package init(on loop: EventLoop, _ action: @escaping () -> Void) {
    self.action = action
    let timer = UnsafeMutablePointer<uv_timer_t>.allocate(capacity: 1)
    // Cannot fail but for a null pointer.
    uv_timer_init(loop.uvLoop, timer)
    super.init(memory: UnsafeMutableRawPointer(timer), on: loop)
    if loop.isStopping { close() }
  }

  /// Schedules the timer to fire once after `milliseconds`, relative to the loop's `now`. Replaces an earlier schedule.
  package func start(after milliseconds: UInt64) {
    guard !isClosing else { return }
    uv_timer_start(
      uvTimer,
      { pointer in LoopHandle.with(pointer, as: LoopTimer.self) { $0.action?() } },
      milliseconds,
      0
    )
  }

  package func stop() {
    guard !isClosing else { return }
    uv_timer_stop(uvTimer)
  }

  override func didClose() { action = nil }

  private var uvTimer: UnsafeMutablePointer<uv_timer_t> { memory.assumingMemoryBound(to: uv_timer_t.self) }
}

extension EventLoop {
  /// Calls `action` once on the loop's thread after `milliseconds`, unless the timer is closed before. Must be called
  /// on the loop.
  @discardableResult
  package func schedule(after milliseconds: UInt64, _ action: @escaping () -> Void) -> LoopTimer {
    // The timer retains itself and its action until it is closed, which breaks this reference cycle.
    var scheduled: LoopTimer?
    let timer = LoopTimer(on: self) {
      scheduled?.close()
      scheduled = nil
      action()
    }
    scheduled = timer
    timer.start(after: milliseconds)
    return timer
  }
}
