import CCurl
import Synchronization

/// Connections to other servers that later requests use again. Each is used by one thread at a time.
final class WebConnections: Sendable {
  /// `@unchecked Sendable`: libcurl's handles may be used by any thread, but not by two at once. A handle is either in
  /// the list or with the one caller that has taken it.
  private struct Handle: @unchecked Sendable {
    let pointer: UnsafeMutableRawPointer
  }

  private let idle = Mutex<[Handle]>([])
  private let isStopped = Atomic<Bool>(false)

  deinit { for handle in idle.withLock({ $0 }) { curl_easy_cleanup(handle.pointer) } }

  /// Cancels the running requests and rejects all later ones.
  func stop() { isStopped.store(true, ordering: .releasing) }

  private var isCancelled: Bool { isStopped.load(ordering: .acquiring) }

  /// Calls `body` with a handle without options.
  func withHandle<Result>(
    _ body: (UnsafeMutableRawPointer) throws(WebFailure) -> Result
  ) throws(WebFailure) -> Result {
    guard let pointer = idle.withLock({ $0.popLast() })?.pointer ?? (Curl.isReady ? curl_easy_init() : nil) else {
      throw WebFailure(description: "libcurl could not be started.")
    }
    defer {
      // It keeps its connections.
      curl_easy_reset(pointer)
      idle.withLock { $0.append(Handle(pointer: pointer)) }
    }
    return try body(pointer)
  }

  /// A result other than 0 cancels the transfer. Called at least once a second.
  static let progress: curl_xferinfo_callback = { connections, _, _, _, _ in
    guard let connections else { return 0 }
    return Unmanaged<WebConnections>.fromOpaque(connections).takeUnretainedValue().isCancelled ? 1 : 0
  }
}
