import Basics
import CLibUV

/// Watches a descriptor that another library opened and closes (`uv_poll_t`). Confined to the loop's thread.
///
/// At most one watch of a descriptor can be open. The descriptor must not be closed before `stop()`.
package final class LoopDescriptor: LoopHandle, DescriptorWatch {
  private var action: ((DescriptorEvents) -> Void)?
  private var watched: DescriptorEvents = []

  /// - Parameter action: Called when an event is possible. It is called with all events when the descriptor has an
  ///   error, such as a peer that closed it before reading everything, so that the owner's next call finds the error.
  ///   The descriptor is not watched then until the next call of `watch(for:)`.
  package init(
    of descriptor: Int32,
    on loop: EventLoop,
    _ action: @escaping (DescriptorEvents) -> Void
  ) throws(SystemError) {
    self.action = action
    let poll = UnsafeMutablePointer<uv_poll_t>.allocate(capacity: 1)
    let made = uv_poll_init(loop.uvLoop, poll, descriptor)
    guard made == 0 else {
      poll.deallocate()
      throw SystemError(made, during: "watching a descriptor")
    }
    super.init(memory: UnsafeMutableRawPointer(poll), on: loop)
    if loop.isStopping { close() }
  }

  package func watch(for events: DescriptorEvents) {
    guard !isClosing, events != watched else { return }
    watched = events
    guard !events.isEmpty else {
      uv_poll_stop(uvPoll)
      return
    }
    var bits: UInt32 = 0
    if events.contains(.readable) { bits |= UV_READABLE.rawValue }
    if events.contains(.writable) { bits |= UV_WRITABLE.rawValue }
    uv_poll_start(uvPoll, Int32(bits)) { pointer, status, bits in
      LoopHandle.with(pointer, as: LoopDescriptor.self) { $0.didPoll(status, bits: UInt32(bits)) }
    }
  }

  private func didPoll(_ status: Int32, bits: UInt32) {
    var events: DescriptorEvents = []
    if status < 0 {
      // libuv has stopped the watch, which the next call of `watch(for:)` must begin again.
      watched = []
      events = [.readable, .writable]
    }
    if bits & UV_READABLE.rawValue != 0 { events.insert(.readable) }
    if bits & UV_WRITABLE.rawValue != 0 { events.insert(.writable) }
    action?(events)
  }

  package func stop() { close() }

  override func didClose() { action = nil }

  private var uvPoll: UnsafeMutablePointer<uv_poll_t> { memory.assumingMemoryBound(to: uv_poll_t.self) }
}

extension EventLoop: DescriptorWatcher {
  package func makeWatch(
    of descriptor: Int32,
    _ action: @escaping (DescriptorEvents) -> Void
  ) throws -> any DescriptorWatch {
    try LoopDescriptor(of: descriptor, on: self, action)
  }

  package func makeTimer(_ action: @escaping () -> Void) -> any WatcherTimer { LoopTimer(on: self, action) }

  package func whenTurnsEnd(_ action: @escaping () -> Void) { confined.pointee.turnEndActions.append(action) }
}
