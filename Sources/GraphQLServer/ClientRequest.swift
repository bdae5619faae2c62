import GraphQLTransport
import HTTP

/// What is known of a client when the context of its request is made.
public struct ClientRequest: Sendable {
  let caller: Caller

  /// The first header of a name, in any case. Of a WebSocket, the headers that it was opened with.
  public subscript(name: String) -> String? {
    let name = Array(name.lowercased().utf8)
    var value: ArraySlice<UInt8>?
    caller.request?.forEachHeader { header, content in
      guard value == nil, header.count == name.count,
        String(decoding: header, as: UTF8.self).lowercased().utf8.elementsEqual(name)
      else { return }
      value = content
    }
    return value.map { String(decoding: $0, as: UTF8.self) }
  }

  /// The value of the `Authorization` header. Of a WebSocket, that of its `connection_init` message, since browsers
  /// cannot send the header there.
  public var authorization: String? { caller.authorization.map { String(decoding: $0, as: UTF8.self) } }

  /// The token of an authorization by `Bearer`, or `nil`.
  public var bearerToken: String? {
    guard let authorization, authorization.lowercased().hasPrefix("bearer ") else { return nil }
    return String(authorization.dropFirst("bearer ".count))
  }

  /// The address that the connection comes from. Behind a proxy that is the proxy's.
  public var peerAddress: String? { caller.address }
}
