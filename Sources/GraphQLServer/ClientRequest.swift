import GraphQLTransport
import HTTP

/// The client's request from which a context is made.
public struct ClientRequest: Sendable {
  private let caller: Caller
  /// The parts of a request that was not received.
  private let given: Given?

  private struct Given {
    /// By their names in lower case.
    let headers: [String: String]
    let connectionParameters: [String: String]
  }

  init(caller: Caller) {
    self.caller = caller
    given = nil
  }

  /// Creates a request that no client has sent, to test a closure that makes contexts.
  ///
  /// - Parameters:
  ///   - headers: The values of the headers by their names, which are compared without case. The authorization is that
  ///     of the connection parameters, or of the `Authorization` header.
  ///   - peerAddress: The address of the connection's peer, such as `192.0.2.1`; `nil` if it is not known.
  ///   - connectionParameters: The payload of a WebSocket's `connection_init` message.
  public init(
    headers: [String: String] = [:],
    peerAddress: String? = nil,
    connectionParameters: [String: String] = [:]
  ) {
    let headers = Dictionary(headers.map { ($0.key.lowercased(), $0.value) }) { first, _ in first }
    given = Given(headers: headers, connectionParameters: connectionParameters)
    let sent = connectionParameters.first { $0.key.lowercased() == "authorization" }?.value
    let authorization = sent ?? headers["authorization"]
    caller = Caller(authorization: authorization.map { Array($0.utf8)[...] }, address: peerAddress)
  }

  /// The first header with a name, compared without case. For a WebSocket, the headers are those of the upgrade
  /// request.
  public subscript(name: String) -> String? {
    if let given { return given.headers[name.lowercased()] }
    return caller.request?.firstValue(ofHeader: name.lowercased())?.text
  }

  /// The value of the `Authorization` header. For a WebSocket, that of its `connection_init` message, because browsers
  /// cannot send the header with an upgrade request.
  public var authorization: String? { caller.authorization.map { String(decoding: $0, as: UTF8.self) } }

  /// The token of a `Bearer` authorization, or `nil`.
  public var bearerToken: String? { caller.bearerToken.map { String(decoding: $0, as: UTF8.self) } }

  /// The members of the payload of a WebSocket's `connection_init` message whose values are strings, such as the
  /// `connectionParams` of graphql-ws: browsers cannot send headers of their own with an upgrade request. Empty for
  /// other requests. Names of more than 256 bytes are ignored; a payload of more than 32 KiB closes the WebSocket.
  public var connectionParameters: [String: String] { given?.connectionParameters ?? caller.connectionParameters }

  /// The address of the connection's peer. Behind a proxy, this is the proxy.
  public var peerAddress: String? { caller.address }
}
