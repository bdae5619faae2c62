import HTTP

/// The timeouts of connections, in milliseconds of the loop's clock. A class, because the connections of a loop share
/// them.
final class Patience: Sendable {
  let head: UInt64
  let body: UInt64
  let admittedForm: UInt64
  let idle: UInt64
  let write: UInt64
  let linger: UInt64
  let longestLinger: UInt64
  let ping: UInt64
  let pong: UInt64
  let heartbeat: UInt64

  init(_ options: HTTPServerOptions) {
    head = options.timeouts.head.milliseconds
    body = options.timeouts.body.milliseconds
    admittedForm = options.timeouts.admittedForm.milliseconds
    idle = options.timeouts.idle.milliseconds
    write = options.timeouts.write.milliseconds
    linger = options.linger.milliseconds
    longestLinger = options.longestLinger.milliseconds
    ping = options.pingInterval.milliseconds
    pong = options.pongTimeout.milliseconds
    heartbeat = options.heartbeatInterval.milliseconds
  }

  func time(for progress: RequestParser.Progress) -> UInt64 {
    switch progress {
    case .idle: idle
    case .head: head
    case .body: body
    case .admittedForm: admittedForm
    }
  }
}

extension Duration {
  /// Whole milliseconds, rounded up, so that a short timeout does not become zero. At most 2⁴⁰ seconds, so that adding
  /// a duration to a moment does not overflow.
  var milliseconds: UInt64 {
    let (seconds, attoseconds) = components
    return UInt64(min(max(0, seconds), 1 << 40)) * 1000
      + UInt64(max(0, attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
  }
}
