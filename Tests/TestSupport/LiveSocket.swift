/// A client's WebSocket that speaks graphql-transport-ws, on threads that may block.
package struct LiveSocket: Sendable {
  package let socket: TestWebSocket

  package init(socket: TestWebSocket) { self.socket = socket }

  package static func open(_ port: Int) async throws -> LiveSocket {
    LiveSocket(socket: try await TestThread { try TestWebSocket(port: port) }.value)
  }

  package struct NotAcknowledged: Error { package let frame: TestWebSocket.Frame }
  package struct OnlyPings: Error {}

  /// Sends `connection_init`, and returns the acknowledgement.
  @discardableResult
  package func initialize(_ token: String? = nil) async throws -> String {
    let payload = token.map { #","payload":{"Authorization":"Bearer \#($0)"}"# } ?? ""
    try await send(#"{"type":"connection_init"\#(payload)}"#)
    let frame = try await receive()
    guard case .text(let text) = frame, text.hasPrefix(#"{"type":"connection_ack""#) else {
      throw NotAcknowledged(frame: frame)
    }
    return text
  }

  package func send(_ text: String) async throws { try await TestThread { [socket] in try socket.send(text) }.value }

  /// The next frame that is not a ping. Pings are answered, as browsers do: a slow machine leaves a socket silent for
  /// longer than the server's ping interval.
  /// An error after two minutes with nothing but pings: a test that waits for an event in vain must fail, and not hang.
  package func receive() async throws -> TestWebSocket.Frame {
    try await TestThread { [socket] in
      let end = ContinuousClock.now + .seconds(120)
      while true {
        let frame = try socket.receive()
        guard case .ping(let payload) = frame else { return frame }
        guard ContinuousClock.now < end else { throw OnlyPings() }
        try socket.send(0xA, payload)
      }
    }.value
  }

  /// The next frame, which may be a ping.
  package func receiveAny() async throws -> TestWebSocket.Frame {
    try await TestThread { [socket] in try socket.receive() }.value
  }

  /// `query` and `more` are escaped for JSON.
  package func subscribe(_ id: String, _ query: String, _ more: String = "") async throws {
    try await send(#"{"id":"\#(id)","type":"subscribe","payload":{"query":"\#(query)"\#(more)}}"#)
  }

  /// All messages until the end.
  package func rest() async throws -> [TestWebSocket.Frame] {
    var frames: [TestWebSocket.Frame] = []
    while true {
      let frame = try await receive()
      if frame == .end { return frames }
      frames.append(frame)
    }
  }
}

package func next(_ id: String, _ payload: String) -> TestWebSocket.Frame {
  .text(#"{"id":"\#(id)","type":"next","payload":\#(payload)}"#)
}

package func complete(_ id: String) -> TestWebSocket.Frame { .text(#"{"id":"\#(id)","type":"complete"}"#) }
