import GraphQL
import WebSocket

/// The close codes of graphql-transport-ws.
extension CloseCode {
  static let invalidMessage = CloseCode(rawValue: 4400)
  static let unauthorized = CloseCode(rawValue: 4401)
  static let forbidden = CloseCode(rawValue: 4403)
  static let subprotocolNotAcceptable = CloseCode(rawValue: 4406)
  static let initializationTimeout = CloseCode(rawValue: 4408)
  static let subscriberExists = CloseCode(rawValue: 4409)
  static let tooManyInitializations = CloseCode(rawValue: 4429)
  static let internalServerError = CloseCode(rawValue: 4500)
}

extension GraphQLError {
  /// Its code and sentence, as a close frame says them.
  var closeReason: CloseReason {
    let isPassing = [.tooManyConnections, .rightsChanged, .overloaded, .storageUnavailable].contains(code)
    let other: CloseCode = code == .internalError ? .internalServerError : .forbidden
    return CloseReason(isPassing ? .tryAgainLater : other, text: "\(code.rawValue): \(message)")
  }
}
