import Basics
import HTTP

/// The timeouts of connections, in milliseconds of the loop's clock. A class, because the connections of a loop share
/// them.
final class ConnectionTimeouts: Sendable {
  /// The limit of `linger` for a client that is still sending: most clients read the response only after they have sent
  /// their request, or when sending fails.
  static let longestLinger: UInt64 = 30_000

  let head: UInt64
  let body: UInt64
  let admittedForm: UInt64
  let idle: UInt64
  let write: UInt64
  let linger: UInt64
  let ping: UInt64
  let pong: UInt64
  let heartbeat: UInt64

  init(_ options: HTTPServerOptions) {
    head = options.timeouts.head.timeout
    body = options.timeouts.body.timeout
    admittedForm = options.timeouts.admittedForm.timeout
    idle = options.timeouts.idle.timeout
    write = options.timeouts.write.timeout
    linger = options.linger.timeout
    ping = options.pingInterval.timeout
    pong = options.pongTimeout.timeout
    heartbeat = options.heartbeatInterval.timeout
  }

  func timeout(for progress: RequestParser.Progress) -> UInt64 {
    switch progress {
    case .idle: idle
    case .head: head
    case .body: body
    case .admittedForm: admittedForm
    }
  }
}

extension Duration {
  /// Milliseconds for a timer of a loop.
  var timeout: UInt64 { UInt64(millisecondsRoundedUp) }
}
