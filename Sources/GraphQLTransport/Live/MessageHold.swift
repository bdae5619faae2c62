import EventLoop

/// Why the next messages of a WebSocket wait.
struct MessageHold {
  /// The answer to a ping that came while operations were about to begin.
  var pong: [UInt8]?
  /// The number of tasks that have not ended. Those of stopped operations are among them: they stay in memory until the
  /// loop has run them, and a client can stop operations and start others faster than that.
  var tasks = 0
  /// Fires when messages have waited too long for tasks. Nil if they do not wait for tasks.
  var timer: LoopTimer?
  /// Whether a large message is being parsed.
  var isParsing = false
}
