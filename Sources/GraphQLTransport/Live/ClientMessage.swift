import JSON

/// A client's message of graphql-transport-ws.
enum ClientMessage: Sendable {
  case connectionInit(payload: JSONValue?)
  case ping(payload: JSONValue?)
  case pong
  case subscribe(id: String, payload: JSONValue)
  case complete(id: String)

  /// The message, or the reason for closing the WebSocket with 4400.
  static func read(_ text: [UInt8]) -> Result<ClientMessage, BadRequestError> {
    Result { () throws(BadRequestError) in try ClientMessage(text) }
  }

  private init(_ text: [UInt8]) throws(BadRequestError) {
    let root: JSONValue
    do {
      root = try JSONDocument(text).root
    } catch {
      throw BadRequestError("The message is not JSON: \(error.description)")
    }
    guard root.kind == .object else { throw BadRequestError("A message must be an object, not \(root.kind.name).") }
    guard let type = root["type"], type.kind == .string else { throw BadRequestError("A message must have a `type`.") }
    if type.equals("subscribe") {
      guard let payload = root["payload"], payload.kind == .object else {
        throw BadRequestError("`subscribe` must have a `payload` that is an object.")
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
      throw BadRequestError("Clients cannot send messages of this `type`.")
    }
  }

  private static let maximumIDBytes = 256

  private static func id(of root: JSONValue) throws(BadRequestError) -> String {
    guard let id = root["id"]?.string, !id.isEmpty else {
      throw BadRequestError("The message must have an `id` that is a non-empty string.")
    }
    guard id.utf8.count <= maximumIDBytes else { throw BadRequestError("An `id` has at most 256 bytes.") }
    return id
  }

  private static func payload(of root: JSONValue) throws(BadRequestError) -> JSONValue? {
    guard let payload = root["payload"], !payload.isNull else { return nil }
    guard payload.kind == .object else { throw BadRequestError("`payload` must be an object.") }
    return payload
  }
}
