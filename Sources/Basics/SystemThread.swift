import Glibc

/// A POSIX thread. Swift has no threads of its own, and those of Foundation would require Foundation.
package struct SystemThread: Sendable {
  private let id: pthread_t

  /// The system did not start the thread.
  package struct StartError: Error {
    /// The number of the error, such as `EAGAIN`.
    package let code: Int32
  }

  /// Starts a thread that runs `body`. Linux shows the first 15 bytes of `name`.
  package init(name: String, _ body: @escaping @Sendable () -> Void) throws(StartError) {
    id = try Self.start(name: name, isDetached: false, body)
  }

  /// Starts a thread that nothing waits for, and whose resources are released when it ends.
  package static func startDetached(name: String, _ body: @escaping @Sendable () -> Void) throws(StartError) {
    _ = try start(name: name, isDetached: true, body)
  }

  private static func start(
    name: String,
    isDetached: Bool,
    _ body: @escaping @Sendable () -> Void
  ) throws(StartError) -> pthread_t {
    final class Start {
      let name: String
      let body: @Sendable () -> Void
      init(name: String, body: @escaping @Sendable () -> Void) {
        self.name = name
        self.body = body
      }
    }
    let start = Unmanaged.passRetained(Start(name: String(name.prefix(15)), body: body))
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    if isDetached { pthread_attr_setdetachstate(&attributes, CInt(PTHREAD_CREATE_DETACHED)) }
    var id = pthread_t()
    let status = pthread_create(
      &id,
      &attributes,
      { argument in
        guard let argument else { return nil }
        let start = Unmanaged<Start>.fromOpaque(argument).takeRetainedValue()
        SystemThread.setName(start.name)
        start.body()
        return nil
      },
      start.toOpaque()
    )
    guard status == 0 else {
      start.release()
      throw StartError(code: status)
    }
    return id
  }

  /// Names the calling thread through proc(5), because `pthread_setname_np` is not visible to Swift without
  /// `_GNU_SOURCE`.
  private static func setName(_ name: String) {
    let file = open("/proc/thread-self/comm", O_WRONLY)
    guard file >= 0 else { return }
    _ = write(file, name, name.utf8.count)
    close(file)
  }

  /// Waits until the thread ends. Must be called at most once, and not after `detach()`.
  package func join() { pthread_join(id, nil) }

  /// Releases a thread that has nothing left to do, on any thread: waits until it has ended, unless it is the calling
  /// one. It cannot be joined afterwards.
  package func release() {
    if pthread_equal(id, pthread_self()) != 0 { pthread_detach(id) } else { pthread_join(id, nil) }
  }

  /// Releases the thread's resources when it ends. It cannot be joined afterwards.
  ///
  /// The thread must be certain to go on until this returns. `pthread_detach` of glibc 2.36 reads the thread's
  /// descriptor after it has marked it, and a thread that ends between the two has freed it: that has ended a process.
  package func detach() { pthread_detach(id) }
}
