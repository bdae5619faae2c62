import Basics
import Bytes
import EventLoop
import GraphQL
import HTTPServer
import WebSocket

/// Who uses the socket: its caller, until the token is renewed or the session changes.
extension GraphQLSocket {
  func authenticate(_ token: ArraySlice<UInt8>?) {
    let asking = asking(token)
    identify(asking) { socket, identity, position in
      if let error = identity.error { return socket.close(error.closeReason) }
      socket.protocolState.acknowledge()
      socket.adopt(identity, caller: asking)
      socket.send(ServerMessage.connectionAck(position: position))
    }
  }

  /// Renews the access token, which a client sends with a `ping` before the old one expires.
  func renew(_ token: ArraySlice<UInt8>) {
    let asking = asking(token)
    identify(asking) { socket, identity, _ in
      if let error = identity.error { return socket.close(error.closeReason) }
      guard socket.session == nil || socket.session == identity.session else {
        socket.forget(identity.session)
        return socket.close(CloseReason(.forbidden, text: "FORBIDDEN: The token belongs to another session."))
      }
      socket.adopt(identity, caller: asking)
      socket.send(ServerMessage.pong(payload: Array(#"{"renewed":true}"#.utf8)[...]))
    }
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
    Task(executorPreference: loop) { [self] in
      await finishIdentifying(handler.identity(of: self, asking), body)
    }
  }

  private func finishIdentifying(
    _ found: PositionedIdentity,
    _ body: @Sendable (isolated GraphQLSocket<Service>, ConnectionIdentity, _ position: String?) -> Void
  ) {
    guard connection != nil else {
      // Closed in the meantime, before the session was known.
      return forget(found.identity.session)
    }
    body(self, found.identity, found.position)
  }

  private func adopt(_ identity: ConnectionIdentity, caller: Caller) {
    self.caller = caller
    session = identity.session
    if let person = identity.person {
      place = nil
      lane = WorkLane(identity.family.map { Payer(family: $0) } ?? Payer(person: person))
      connection?.assumeOnLoop { $0.raiseLimits(for: Payer(person: person)) }
    }
    guard let rest = identity.expiresIn else { return timer?.stop() ?? () }
    timer?.start(after: UInt64(max(0, rest) + options.expiryGrace.millisecondsRoundedUp))
  }

  func sessionDidChange(_ change: SessionChange) { closeWhenIdle(change.error.closeReason) }
}
