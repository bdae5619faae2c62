import JSON

/// A message of graphql-transport-ws, as a client sends it.
enum ClientMessage: Sendable {
  case connectionInit(payload: JSONValue?)
  case ping(payload: JSONValue?)
  case pong
  case subscribe(id: String, payload: JSONValue)
  case complete(id: String)

  /// The message, or the reason for closing the WebSocket with 4400.
  static func read(_ text: [UInt8]) -> Result<ClientMessage, MalformedRequest> {
    Result { () throws(MalformedRequest) in try ClientMessage(text) }
  }

  private init(_ text: [UInt8]) throws(MalformedRequest) {
    let root: JSONValue
    do {
      root = try JSONDocument(text).root
    } catch {
      throw MalformedRequest("The message is not JSON: \(error.description)")
    }
    guard root.kind == .object else { throw MalformedRequest("A message is an object, not \(root.kind.name).") }
    guard let type = root["type"], type.kind == .string else { throw MalformedRequest("A message has a `type`.") }
    if type.equals("subscribe") {
      guard let payload = root["payload"], payload.kind == .object else {
        throw MalformedRequest("`subscribe` has a `payload` that is an object.")
      }
      self = .subscribe(id: try Self.id(of: root), payload: payload)
    } else if type.equals("complete") {
      self = .complete(id: try Self.id(of: root))
    } else if type.equals("ping") {
      self = .ping(payload: try Self.payload(of: root))
    } else if type.equals("pong") {
      _ = try Self.payload(of: root)
      self = .pong
    } else if type.equals("connection_init") {
      self = .connectionInit(payload: try Self.payload(of: root))
    } else {
      throw MalformedRequest("A client does not send messages of this `type`.")
    }
  }

  private static let maximumIDBytes = 256

  private static func id(of root: JSONValue) throws(MalformedRequest) -> String {
    guard let id = root["id"]?.string, !id.isEmpty else {
      throw MalformedRequest("The message needs an `id` that is a string, and not empty.")
    }
    guard id.utf8.count <= maximumIDBytes else { throw MalformedRequest("An `id` has at most 256 bytes.") }
    return id
  }

  private static func payload(of root: JSONValue) throws(MalformedRequest) -> JSONValue? {
    guard let payload = root["payload"], !payload.isNull else { return nil }
    guard payload.kind == .object else { throw MalformedRequest("`payload` must be an object.") }
    return payload
  }
}
