import CLibUV
import Glibc

/// A thread of our own. Swift's has none, and Foundation's costs Foundation.
struct Thread: Sendable {
  private let id: pthread_t

  /// Starts a thread that runs `body`. Linux shows the first 15 bytes of `name`.
  init(name: String, _ body: @escaping @Sendable () -> Void) throws(SystemError) {
    final class Start {
      let name: String
      let body: @Sendable () -> Void
      init(name: String, body: @escaping @Sendable () -> Void) {
        self.name = name
        self.body = body
      }
    }
    let start = Unmanaged.passRetained(Start(name: String(name.prefix(15)), body: body))
    var id = pthread_t()
    let status = pthread_create(
      &id,
      nil,
      { argument in
        guard let argument else { return nil }
        let start = Unmanaged<Start>.fromOpaque(argument).takeRetainedValue()
        pthread_setname_np(pthread_self(), start.name)
        start.body()
        return nil
      },
      start.toOpaque()
    )
    guard status == 0 else {
      start.release()
      throw SystemError(status, during: "starting a thread")
    }
    self.id = id
  }

  /// Waits for the thread's end. Once only, and not after `detach()`.
  func join() { pthread_join(id, nil) }

  /// Lets the thread's memory be freed at its end without anyone waiting for it.
  func detach() { pthread_detach(id) }
}
