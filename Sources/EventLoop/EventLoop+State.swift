import Bytes
import CLibUV
import Glibc

extension EventLoop {
  /// The jobs that other threads enqueue on the loop.
  struct Inbox {
    enum Phase { case running, stopping, ended }

    var phase = Phase.running
    var jobs: [UnownedJob] = []
    /// Whether a thread is running jobs of a loop that has ended.
    var isRunningLateJobs = false
  }

  /// The state that is confined to the loop's thread.
  struct Confined: ~Copyable {
    var jobs = JobQueue()
    /// The streams that asked to be flushed at the end of this turn. Not retained: a stream retains itself until it has
    /// closed, and leaves the list then.
    var corkedStreams = PlainBuffer<Unmanaged<TCPStream>>()
    /// The streams that have more to write, of which each turn writes a portion of one.
    var continuingStreams: [TCPStream] = []
    /// The tasks that wait for the next turn.
    var turnWaiters: [UnsafeContinuation<Void, Never>] = []
    var bulkReads = BulkReads()
    /// See `whenTurnsEnd`.
    var turnEndActions: [() -> Void] = []
    var openHandleCount = 0
    var isStopping = false
    /// When the loop last began to call back after polling, in the milliseconds of `now`.
    var pollEnd: UInt64 = 0
    var isIdleHandleActive = false
    let readBuffer = UnsafeMutableRawBufferPointer.allocate(byteCount: EventLoop.readBufferSize, alignment: 64)

    var hasWork: Bool { !jobs.isEmpty || !corkedStreams.isEmpty }
    /// Whether the loop must not sleep.
    var hasNextTurn: Bool { hasWork || !continuingStreams.isEmpty || !turnWaiters.isEmpty }

    deinit { readBuffer.deallocate() }
  }

  /// libuv's structures for the loop itself, in one allocation, because their addresses must not change.
  struct OwnHandles {
    var loop = uv_loop_t()
    /// Watches `wakeDescriptor`.
    var wake = uv_poll_t()
    /// Called after the timers and callbacks of each turn, before the loop sleeps.
    var prepare = uv_prepare_t()
    /// Called after the callbacks of the sockets. libuv's time is still the one at which they began.
    var check = uv_check_t()
    /// Active while work is left, which keeps the loop from sleeping.
    var idle = uv_idle_t()
  }
}

// MARK: - The border to libuv

extension EventLoop {
  /// Makes the loop look at its inbox. Can be called by any thread.
  ///
  /// The loop has an eventfd of its own instead of a `uv_async_t`, because libuv's loop spins until the sender has
  /// finished sending. A sender of lower priority on the same processor is preempted by the loop that it wakes, and the
  /// loop then spun for as long as the sender waited for the processor: a third of its time, up to 27 ms at once.
  func wake() { _ = eventfd_write(wakeDescriptor, 1) }

  func initializeHandles() throws(SystemError) {
    let status = uv_loop_init(uvLoop)
    guard status == 0 else { throw SystemError(status, during: "making an event loop") }
    // The C callbacks find the loop here. Unretained, because they are called by the loop's thread, which retains it.
    uvLoop.pointee.data = Unmanaged.passUnretained(self).toOpaque()
    guard wakeDescriptor >= 0 else {
      uv_loop_close(uvLoop)
      throw SystemError(errno, during: "making an event loop's wake-up")
    }
    let pollStatus = uv_poll_init(uvLoop, &handles.pointee.wake, wakeDescriptor)
    guard pollStatus == 0 else {
      uv_loop_close(uvLoop)
      throw SystemError(pollStatus, during: "making an event loop's wake-up")
    }
    uv_poll_start(&handles.pointee.wake, Int32(UV_READABLE.rawValue)) { handle, _, _ in
      EventLoop.with(handle?.pointee.loop) { loop in
        var count: eventfd_t = 0
        _ = eventfd_read(loop.wakeDescriptor, &count)
        loop.takeInbox()
      }
    }
    // None of these can fail (libuv's documentation of uv_prepare_t, uv_check_t and uv_idle_t).
    uv_prepare_init(uvLoop, &handles.pointee.prepare)
    uv_prepare_start(&handles.pointee.prepare) { handle in
      EventLoop.with(handle?.pointee.loop) { $0.finishTurn() }
    }
    confined.pointee.pollEnd = uv_now(uvLoop)
    uv_check_init(uvLoop, &handles.pointee.check)
    uv_check_start(&handles.pointee.check) { handle in
      EventLoop.with(handle?.pointee.loop) { $0.confined.pointee.pollEnd = uv_now($0.uvLoop) }
    }
    uv_idle_init(uvLoop, &handles.pointee.idle)
  }

  /// Calls `body` with the loop that owns a `uv_loop_t`. Each `uv_loop_t` of this module has its `EventLoop` in `data`.
  /// The loop is not retained for the call: its thread, which makes all callbacks of libuv, retains it.
  private static func with(_ uvLoop: UnsafeMutablePointer<uv_loop_t>?, _ body: (EventLoop) -> Void) {
    guard let data = uvLoop?.pointee.data else { preconditionFailure("a callback of libuv without a loop") }
    Unmanaged<EventLoop>.fromOpaque(data)._withUnsafeGuaranteedRef(body)
  }

  func setIdleHandle(active: Bool) {
    if active {
      uv_idle_start(&handles.pointee.idle) { _ in }
    } else {
      uv_idle_stop(&handles.pointee.idle)
    }
  }

  /// Closes the open streams, timers and other handles. Their owners are notified by the callbacks that follow.
  func closeOpenHandles() {
    uv_walk(
      uvLoop,
      { handle, _ in
        // The loop's own handles carry no data.
        guard let handle, handle.pointee.data != nil else { return }
        LoopHandle.with(handle, as: LoopHandle.self) { $0.close() }
      },
      nil
    )
  }

  func closeOwnHandles() {
    Self.close(&handles.pointee.wake)
    Self.close(&handles.pointee.prepare)
    Self.close(&handles.pointee.check)
    Self.close(&handles.pointee.idle)
    uv_run(uvLoop, UV_RUN_DEFAULT)
    let status = uv_loop_close(uvLoop)
    assert(status == 0, "a handle outlived its loop")
  }

  /// `handle` must not move in memory until it is closed, because libuv holds its address.
  private static func close<Handle>(_ handle: inout Handle) {
    withUnsafeMutablePointer(to: &handle) { pointer in
      uv_close(UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: uv_handle_t.self), nil)
    }
  }
}
