import JSON
import WebSocket

/// graphql-transport-ws, from the server's side, without a socket and a clock: messages go in, and what is to be done
/// comes out.
struct SocketProtocol {
  enum Action {
    case nothing
    /// Find out who it is: `acknowledge()` or a close follows.
    case authenticate(token: ArraySlice<UInt8>?)
    /// Find out whether the new token is good: a pong or a close follows.
    case renew(token: ArraySlice<UInt8>)
    case pong(payload: ArraySlice<UInt8>?)
    /// Begin an operation; `finish(_:)` follows when it has ended.
    case start(id: String, GraphQLRequest)
    /// The request of an operation is none; nothing has begun.
    case refuse(id: String, MalformedRequest)
    case stop(id: String)
    case close(CloseReason)
  }

  private enum Phase { case new, authenticating, acknowledged }

  private var phase = Phase.new
  private(set) var operations: Set<String> = []

  /// Whether `connection_init` is still awaited.
  var isNew: Bool { phase == .new }
  var isAcknowledged: Bool { phase == .acknowledged }

  mutating func receive(_ message: Result<ClientMessage, MalformedRequest>) -> Action {
    do throws(MalformedRequest) {
      return try act(on: try message.get())
    } catch {
      return .close(CloseReason(.invalidMessage, error.message))
    }
  }

  private mutating func act(on message: ClientMessage) throws(MalformedRequest) -> Action {
    switch message {
    case .connectionInit(let payload):
      guard phase == .new else {
        return .close(CloseReason(.tooManyInitializations, "Too many initialisation requests"))
      }
      phase = .authenticating
      return .authenticate(token: try Self.token(in: payload))
    case .ping(let payload):
      if phase == .acknowledged, let token = try Self.token(in: payload) { return .renew(token: token) }
      return .pong(payload: payload?.rawBytes)
    case .pong: return .nothing
    case .subscribe(let id, let payload):
      guard phase == .acknowledged else { return .close(CloseReason(.unauthorized, "Unauthorized")) }
      guard operations.insert(id).inserted else {
        return .close(CloseReason(.subscriberExists, "Subscriber for \(id) already exists"))
      }
      do {
        return .start(id: id, try GraphQLRequest(payload))
      } catch {
        operations.remove(id)
        return .refuse(id: id, error)
      }
    case .complete(let id):
      // It may have crossed ours on the way.
      return operations.remove(id) == nil ? .nothing : .stop(id: id)
    }
  }

  mutating func acknowledge() { phase = .acknowledged }

  /// The operation has ended from this side: its id may be used again.
  mutating func finish(_ id: String) { operations.remove(id) }

  /// `{"Authorization": "Bearer …"}`, the key in whatever case.
  private static func token(in payload: JSONValue?) throws(MalformedRequest) -> ArraySlice<UInt8>? {
    guard let members = payload?.members else { return nil }
    for member in members where member.key.string?.lowercased() == "authorization" {
      guard !member.value.isNull else { continue }
      guard let token = member.value.stringBytes else { throw MalformedRequest("`Authorization` must be a string.") }
      return token
    }
    return nil
  }
}
