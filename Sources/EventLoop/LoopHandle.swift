import CLibUV

/// An open handle of a loop: a stream, a timer, a listener or a signal watcher. Confined to the loop's thread.
///
/// A handle retains itself from its creation until libuv has closed it, because libuv holds its address.
package class LoopHandle {
  package let loop: EventLoop
  /// libuv's structure, owned by this object. Subclasses know its type.
  final let memory: UnsafeMutableRawPointer
  /// Whether `close()` has been called.
  package final private(set) var isClosing = false

  /// - Parameter memory: allocated by the caller for a structure that begins as `uv_handle_t` does and has been
  ///   initialized by libuv on this loop; it is deallocated when the handle is.
  init(memory: UnsafeMutableRawPointer, on loop: EventLoop) {
    loop.checkIsolated()
    self.loop = loop
    self.memory = memory
    loop.confined.pointee.openHandleCount += 1
    uvHandle.pointee.data = Unmanaged.passRetained(self).toOpaque()
  }

  deinit { memory.deallocate() }

  /// Closes the handle. No callbacks follow except that of the close itself. Can be called repeatedly.
  package final func close() {
    guard !isClosing else { return }
    isClosing = true
    uv_close(uvHandle) { pointer in
      guard let pointer, let data = pointer.pointee.data else { return }
      let handle = Unmanaged<LoopHandle>.fromOpaque(data).takeRetainedValue()
      handle.loop.confined.pointee.openHandleCount -= 1
      handle.didClose()
    }
    didBeginToClose()
  }

  /// Called within `close()`, when libuv has stopped watching the handle.
  func didBeginToClose() {}

  /// Called once, when libuv has released the handle. Subclasses release their references here.
  func didClose() {}

  final var uvHandle: UnsafeMutablePointer<uv_handle_t> { memory.assumingMemoryBound(to: uv_handle_t.self) }

  /// Calls `body` with the object that owns a libuv handle, which is made by a `Handle`. The object is not retained for
  /// the call: it retains itself until libuv has closed the handle, which it never does within a callback.
  ///
  /// - Parameter pointer: The handle as libuv passes it: a pointer to a structure that begins as `uv_handle_t` does.
  @inline(__always)
  static func with<Handle: LoopHandle>(
    _ pointer: UnsafeMutableRawPointer?,
    as _: Handle.Type,
    _ body: (Handle) -> Void
  ) {
    guard let data = pointer?.assumingMemoryBound(to: uv_handle_t.self).pointee.data else {
      preconditionFailure("a callback of libuv for a handle not ours")
    }
    Unmanaged<Handle>.fromOpaque(data)._withUnsafeGuaranteedRef(body)
  }
}
