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
    /// Start an operation. `finish(_:)` follows when it has ended.
    case start(id: String, GraphQLRequest)
    case stop(id: String)
    case close(CloseReason)
  }

  private enum Phase { case new, authenticating, acknowledged }

  private var phase = Phase.new
  /// The ids of the open operations. A list, because most sockets have one, for which a set takes 48 bytes more.
  private(set) var operations: [String] = []

  /// Whether `connection_init` has not arrived yet.
  var isNew: Bool { phase == .new }
  var isAcknowledged: Bool { phase == .acknowledged }

  mutating func receive(_ message: Result<ClientMessage, BadRequestError>) -> Action {
    do throws(BadRequestError) {
      return try act(on: try message.get())
    } catch {
      return .close(CloseReason(.invalidMessage, text: error.message))
    }
  }

  private mutating func act(on message: ClientMessage) throws(BadRequestError) -> Action {
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
      guard !operations.contains(id) else {
        return .close(CloseReason(.subscriberExists, text: "Subscriber for \(id) already exists"))
      }
      operations.append(id)
      // A payload that is not a GraphQL request is an invalid message, which closes the socket with 4400.
      return .start(id: id, try GraphQLRequest.read(payload))
    case .complete(let id):
      // The client's `complete` can cross the server's.
      return remove(id) ? .stop(id: id) : .nothing
    }
  }

  mutating func acknowledge() { phase = .acknowledged }

  /// The server has ended the operation: its id can be used again.
  mutating func finish(_ id: String) { _ = remove(id) }

  /// Returns false if no such operation is open.
  private mutating func remove(_ id: String) -> Bool {
    guard let index = operations.firstIndex(of: id) else { return false }
    operations.remove(at: index)
    return true
  }

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
