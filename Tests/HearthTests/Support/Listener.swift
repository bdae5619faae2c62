import TestSupport

/// A client that listens: a WebSocket with one subscription.
struct Listener: Sendable {
  struct Unexpected: Error { let frame: TestWebSocket.Frame }

  let socket: LiveSocket
  /// The position of the event.
  let position: String?

  /// `position` is the resume position.
  static func open(
    _ port: Int,
    _ client: Client,
    _ subscription: String,
    after position: String? = nil
  ) async throws -> Listener {
    let socket = try await LiveSocket.open(port)
    let acknowledgement = try Value(Array(try await socket.initialize(client.token).utf8))
    let extensions = position.map { #","extensions":{"position":"\#($0)"}"# } ?? ""
    try await socket.subscribe("1", subscription.replacing("\"", with: "\\\""), extensions)
    return Listener(socket: socket, position: acknowledgement["payload.position"].string)
  }

  /// Returns when the subscription stands, where nothing is kept for it: a socket's messages are seen to in their
  /// order.
  func listening() async throws -> Listener {
    try await socket.send(#"{"type":"ping"}"#)
    let frame = try await socket.receive()
    guard frame == .text(#"{"type":"pong"}"#) else { throw Unexpected(frame: frame) }
    return self
  }

  /// The next event: its data and extensions.
  func next() async throws -> Value {
    let frame = try await socket.receive()
    guard case .text(let text) = frame, text.contains(#""type":"next""#) else { throw Unexpected(frame: frame) }
    return try Value(Array(text.utf8))["payload"]
  }

  /// The frame that closes the socket when the session ends or the caller's rights change. Where reads take time, a
  /// subscription can still be starting then: it reads the session from the database, and is rejected before the socket
  /// is closed.
  func end() async throws -> TestWebSocket.Frame {
    let frame = try await socket.receive()
    guard case .text(let text) = frame, text.contains(#""type":"error""#),
      text.contains("TOKEN_REVOKED") || text.contains("RIGHTS_CHANGED")
    else { return frame }
    return try await socket.receive()
  }

  /// Why there will be no events.
  func rejection() async throws -> Value {
    let frame = try await socket.receive()
    guard case .text(let text) = frame, text.contains(#""type":"error""#) else { throw Unexpected(frame: frame) }
    return try Value(Array(text.utf8))["payload.0.extensions.code"]
  }
}
