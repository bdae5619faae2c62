import GraphQL

extension FieldError {
  /// - Parameter wait: in milliseconds, rounded up to seconds: a client that waits that long is let in.
  static func rateLimited(for wait: Int64) -> FieldError {
    let seconds = max((wait + 999) / 1000, 1)
    return FieldError(
      "There were too many attempts: try again in \(seconds) second\(seconds == 1 ? "" : "s").",
      code: .rateLimited,
      retryAfter: seconds
    )
  }
}
