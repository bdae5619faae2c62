import GraphQL
import GraphQLTransport

extension FieldError {
  /// - Parameter wait: in milliseconds. It is rounded up to seconds, so a client that waits that long is admitted.
  static func rateLimited(for wait: Int64) -> FieldError {
    let seconds = max((wait + 999) / 1000, 1)
    return FieldError(
      "There were too many attempts: try again in \(seconds) second\(seconds == 1 ? "" : "s").",
      code: .rateLimited,
      retryAfter: seconds
    )
  }
}
