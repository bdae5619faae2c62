import Basics
import Bytes
import EventLoop
import GraphQL
import HTTP
import HTTPServer
import JSON
import WebSocket

/// Who uses the socket: its caller, until the token is renewed or the session changes.
extension GraphQLSocket {
  func authenticate(_ token: ArraySlice<UInt8>?) {
    let asking = asking(token)
    identify(asking) { socket, identity, position in
      if case .rejected(let error) = identity { return socket.close(error.closeReason) }
      socket.protocolState.acknowledge()
      socket.adopt(identity, caller: asking)
      socket.send(ServerMessage.connectionAck(position: position))
    }
  }

  /// Renews the access token, which a client sends with a `ping` before the old one expires.
  func renew(_ token: ArraySlice<UInt8>) {
    let asking = asking(token)
    identify(asking) { socket, identity, _ in
      // Running operations began with the token before and are answered. One of them may have changed the rights.
      if case .rejected(let error) = identity { return socket.closeWhenIdle(error.closeReason) }
      let session = identity.session?.id
      guard socket.session == nil || socket.session == session else {
        socket.forget(session)
        return socket.close(CloseReason(.forbidden, text: "FORBIDDEN: The token belongs to another session."))
      }
      socket.adopt(identity, caller: asking)
      socket.send(ServerMessage.pong(payload: Array(#"{"renewed":true}"#.utf8)[...]))
    }
  }

  /// The same limit as for the headers of a request: the parameters stay in memory as long as the connection is open.
  private static var maximumParameterBytes: Int { HTTPLimits().headerBytes }
  private static var maximumNameBytes: Int { 256 }

  /// Keeps the payload of `connection_init` for the service. Returns false if it closes the connection, because the
  /// payload is too long.
  func keepParameters(of message: Result<ClientMessage, BadRequestError>) -> Bool {
    guard case .success(.connectionInit(let payload?)) = message, let members = payload.members else { return true }
    guard payload.rawBytes.count <= Self.maximumParameterBytes else {
      let text = "The payload of connection_init has more than \(Self.maximumParameterBytes) bytes."
      close(CloseReason(.invalidMessage, text: text))
      return false
    }
    var parameters: [String: String] = [:]
    for member in members {
      // Swift takes quadratic time to hash texts with many combining marks.
      guard let name = member.key.string, name.utf8.count <= Self.maximumNameBytes else { continue }
      if let text = member.value.string, parameters[name] == nil { parameters[name] = text }
    }
    caller = caller.with(connectionParameters: parameters)
    return true
  }

  private func asking(_ token: ArraySlice<UInt8>?) -> Caller {
    caller.with(authorization: token)
  }

  private func identify(
    _ asking: Caller,
    _ body: @escaping @Sendable (isolated GraphQLSocket<Service>, ConnectionIdentity, _ position: String?) -> Void
  ) {
    if let known = handler.assumeOnLoop({ $0.knownIdentity(of: self, asking) }) {
      return body(self, known.identity, known.position)
    }
    taskWillBegin()
    Task(executorPreference: loop) { [self] in
      await finishIdentifying(handler.identity(of: self, asking), body)
    }
  }

  private func finishIdentifying(
    _ found: PositionedIdentity,
    _ body: @Sendable (isolated GraphQLSocket<Service>, ConnectionIdentity, _ position: String?) -> Void
  ) {
    defer { taskDidEnd() }
    guard connection != nil else {
      // Closed in the meantime, before the session was known.
      return forget(found.identity.session?.id)
    }
    body(self, found.identity, found.position)
  }

  private func adopt(_ identity: ConnectionIdentity, caller: Caller) {
    self.caller = caller
    // `renew` keeps the session: an anonymous caller has had none before.
    guard let session = identity.session else { return timer?.stop() ?? () }
    self.session = session.id
    place = nil
    let person = Payer(person: session.person)
    lane = WorkLane(session.family.map { Payer(family: $0) } ?? person)
    connection?.assumeOnLoop { $0.raiseLimits(for: person) }
    guard let rest = session.expiresIn else { return timer?.stop() ?? () }
    timer?.start(after: UInt64(max(0, rest) + options.expiryGrace.millisecondsRoundedUp))
  }

  func sessionDidChange(_ change: SessionChange) { closeWhenIdle(change.error.closeReason) }
}
