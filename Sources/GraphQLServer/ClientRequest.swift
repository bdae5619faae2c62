import GraphQLTransport
import HTTP

/// The client's request from which a context is made.
public struct ClientRequest: Sendable {
  let caller: Caller

  /// The first header with a name, compared without case. For a WebSocket, the headers are those of the upgrade
  /// request.
  public subscript(name: String) -> String? {
    caller.request?.firstValue(ofHeader: name.lowercased())?.text
  }

  /// The value of the `Authorization` header. For a WebSocket, that of its `connection_init` message, because browsers
  /// cannot send the header with an upgrade request.
  public var authorization: String? { caller.authorization.map { String(decoding: $0, as: UTF8.self) } }

  /// The token of a `Bearer` authorization, or `nil`.
  public var bearerToken: String? { caller.bearerToken.map { String(decoding: $0, as: UTF8.self) } }

  /// The address of the connection's peer. Behind a proxy, this is the proxy.
  public var peerAddress: String? { caller.address }
}
