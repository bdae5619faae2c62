import CLibUV

/// A timer of a loop, which may be started again and again, by one call to libuv each.
package final class LoopTimer: LoopHandle {
  private var action: (() -> Void)?

  /// - Parameter action: called on the loop's thread each time the timer runs out, and released when it is closed.
  package init(on loop: EventLoop, _ action: @escaping () -> Void) {
    self.action = action
    let timer = UnsafeMutablePointer<uv_timer_t>.allocate(capacity: 1)
    // Cannot fail but for a null pointer.
    uv_timer_init(loop.uvLoop, timer)
    super.init(memory: UnsafeMutableRawPointer(timer), on: loop)
    if loop.isStopping { close() }
  }

  /// Lets the timer run out once after `milliseconds`, counted from the loop's `now`, in place of what was set before.
  package func start(after milliseconds: UInt64) {
    guard !isClosing else { return }
    uv_timer_start(
      uvTimer,
      { pointer in
        guard let pointer else { return }
        let handle = UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: uv_handle_t.self)
        // Every uv_timer_t of this module is made by a LoopTimer.
        unsafeDowncast(LoopHandle.of(handle), to: LoopTimer.self).action?()
      },
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
  /// Calls `action` once on the loop's thread after `milliseconds`, unless the timer is closed first. Must be called on
  /// the loop.
  @discardableResult
  package func schedule(after milliseconds: UInt64, _ action: @escaping () -> Void) -> LoopTimer {
    // The timer keeps itself until it is closed, and its action with it: the reference back is cut by the close.
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
