import CLibUV
import Glibc

/// Watches for a signal to the process and calls its action on the loop's thread.
package final class SignalWatcher: LoopHandle {
  private var action: (@Sendable (Int32) -> Void)?
  private var closed: (@Sendable () -> Void)?

  fileprivate init(
    of number: Int32,
    on loop: EventLoop,
    _ action: @escaping @Sendable (Int32) -> Void,
    closed: @escaping @Sendable () -> Void
  ) throws(SystemError) {
    self.action = action
    self.closed = closed
    let signal = UnsafeMutablePointer<uv_signal_t>.allocate(capacity: 1)
    let made = uv_signal_init(loop.uvLoop, signal)
    guard made == 0 else {
      signal.deallocate()
      throw SystemError(made, during: "watching signals")
    }
    super.init(memory: UnsafeMutableRawPointer(signal), on: loop)
    let started = uv_signal_start(
      signal,
      { pointer, number in LoopHandle.with(pointer, as: SignalWatcher.self) { $0.action?(number) } },
      number
    )
    if started != 0 || loop.isStopping { close() }
    if started != 0 { throw SystemError(started, during: "watching signal \(number)") }
  }

  override func didClose() {
    action = nil
    closed?()
    closed = nil
  }
}

extension EventLoop {
  /// The signals with these numbers. From the return of this call until the loop stops, they replace the default
  /// action. The stream ends when the loop stops.
  package func signals(_ numbers: [Int32]) async throws -> AsyncStream<Int32> {
    let (stream, continuation) = AsyncStream.makeStream(of: Int32.self, bufferingPolicy: .bufferingNewest(16))
    try await run {
      // A loop that has ended could neither watch them nor finish the stream.
      guard !self.isStopping else { return continuation.finish() }
      for number in numbers {
        _ = try SignalWatcher(of: number, on: self) {
          continuation.yield($0)
        } closed: {
          continuation.finish()
        }
      }
    }
    return stream
  }

  /// Whether the parent process made this process ignore a signal, as `nohup` does.
  package static func ignoresSignal(_ number: Int32) -> Bool {
    var current = sigaction()
    sigaction(number, nil, &current)
    return unsafeBitCast(current.__sigaction_handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }
}
