import JSON
import WebSocket

/// The server's side of graphql-transport-ws as a state machine without I/O: messages go in, actions come out.
struct SocketProtocol {
  enum Action {
    case nothing
    /// Identify the caller. `acknowledge()` or a close follows.
    case authenticate(token: ArraySlice<UInt8>?)
    /// Verify the new token. A pong or a close follows.
    case renew(token: ArraySlice<UInt8>)
    case pong(payload: ArraySlice<UInt8>?)
    case start(id: String, GraphQLRequest)
    /// Stop an operation. It may have ended: the client's `complete` can cross the server's.
    case stop(id: String)
    case close(CloseReason)
  }

  private enum Phase { case new, authenticating, acknowledged }

  private var phase = Phase.new

  /// Whether `connection_init` has not arrived yet.
  var isNew: Bool { phase == .new }
  var isAcknowledged: Bool { phase == .acknowledged }

  /// - Parameter isOpen: Whether the operation with an id has not ended yet.
  mutating func receive(
    _ message: Result<ClientMessage, BadRequestError>,
    isOpen: (_ id: String) -> Bool
  ) -> Action {
    do throws(BadRequestError) {
      return try act(on: try message.get(), isOpen: isOpen)
    } catch {
      return .close(CloseReason(.invalidMessage, text: error.message))
    }
  }

  private mutating func act(
    on message: ClientMessage,
    isOpen: (_ id: String) -> Bool
  ) throws(BadRequestError) -> Action {
    switch message {
    case .connectionInit(let payload):
      guard phase == .new else {
        return .close(CloseReason(.tooManyInitializations, text: "Too many initialisation requests"))
      }
      phase = .authenticating
      return .authenticate(token: try Self.token(in: payload))
    case .ping(let payload):
      if phase == .acknowledged, let token = try Self.token(in: payload) { return .renew(token: token) }
      return .pong(payload: payload?.rawBytes)
    case .pong: return .nothing
    case .subscribe(let id, let payload):
      guard phase == .acknowledged else { return .close(CloseReason(.unauthorized, text: "Unauthorized")) }
      guard !isOpen(id) else {
        return .close(CloseReason(.subscriberExists, text: "Subscriber for \(id) already exists"))
      }
      // A payload that is not a GraphQL request is an invalid message, which closes the socket with 4400.
      return .start(id: id, try GraphQLRequest.read(payload))
    case .complete(let id): return .stop(id: id)
    }
  }

  mutating func acknowledge() { phase = .acknowledged }

  /// The token of `{"Authorization": "Bearer …"}`. The key is case-insensitive.
  private static func token(in payload: JSONValue?) throws(BadRequestError) -> ArraySlice<UInt8>? {
    guard let members = payload?.members else { return nil }
    for member in members {
      // The length comes first: Swift takes quadratic time to compare texts with many combining marks.
      guard let key = member.key.string, key.utf8.count == 13, key.lowercased() == "authorization" else { continue }
      guard !member.value.isNull else { continue }
      guard let token = member.value.stringBytes else { throw BadRequestError("`Authorization` must be a string.") }
      return token
    }
    return nil
  }
}
