import GraphQL
import HTTP

/// The service does not serve the caller of a request. Thrown by the methods of a `GraphQLService` that identify
/// callers, where `GraphQLErrors` would be about the content of the request.
package struct CallerRejection: Error {
  let error: GraphQLError

  package init(_ error: GraphQLError) { self.error = error }

  /// The response of a resource outside of the endpoint, with the status that HTTP has for the reason.
  package var response: HTTPResponse { Rejection.notExecuted(.callerRejected(error), in: .response) }
}

extension ResponseFormat {
  /// The status of a response to a rejected caller. GraphQL over HTTP lets a server reject requests with the status
  /// that HTTP has for the reason.
  func status(ofRejectedCaller code: ErrorCode) -> HTTPStatus {
    guard self == .response else { return status(of: code) }
    return switch code.rawValue {
    case "UNAUTHENTICATED": .unauthorized
    case "FORBIDDEN": .forbidden
    default: status(of: code)
    }
  }
}
