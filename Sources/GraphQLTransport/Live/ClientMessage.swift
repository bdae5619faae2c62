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
    guard let type = try Self.member("type", of: root), type.kind == .string else {
      throw BadRequestError("A message must have a `type`.")
    }
    if type.equals("subscribe") {
      guard let payload = try Self.member("payload", of: root), payload.kind == .object else {
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

  /// The value of a key, which a message must not have twice. Nil if it does not have the key.
  private static func member(_ key: StaticString, of root: JSONValue) throws(BadRequestError) -> JSONValue? {
    var found: JSONPosition?
    try root.forEachMember { (name, value) throws(BadRequestError) in
      guard root.equals(key, at: name) else { return }
      guard found == nil else { throw BadRequestError("`\(key)` is given twice.") }
      found = value
    }
    return found.map { root.value(at: $0) }
  }

  private static let maximumIDBytes = 256

  private static func id(of root: JSONValue) throws(BadRequestError) -> String {
    guard let id = try member("id", of: root)?.string, !id.isEmpty else {
      throw BadRequestError("The message must have an `id` that is a non-empty string.")
    }
    guard id.utf8.count <= maximumIDBytes else { throw BadRequestError("An `id` has at most \(maximumIDBytes) bytes.") }
    return id
  }

  private static func payload(of root: JSONValue) throws(BadRequestError) -> JSONValue? {
    guard let payload = try member("payload", of: root), !payload.isNull else { return nil }
    guard payload.kind == .object else { throw BadRequestError("`payload` must be an object.") }
    return payload
  }
}
