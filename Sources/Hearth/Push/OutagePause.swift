/// How long nothing is sent to a service that is down: five seconds, then twice as long after each further failure.
enum OutagePause {
  private static let longest: Int64 = 5 * Milliseconds.minute
  /// The longest pause that a service can ask for (RFC 9110, section 10.2.3).
  static let longestAskedFor: Int64 = Milliseconds.hour

  /// Whether a pause that ends then is over. One that is longer than any began while the clock was ahead.
  static func isOver(_ end: Int64, at now: Int64) -> Bool { end <= now || end > now + longestAskedFor }

  /// In milliseconds.
  ///
  /// - Parameters:
  ///   - outages: the number of failures in succession before this one.
  ///   - retryAfter: what the service has asked for, in milliseconds.
  static func length(after outages: Int64, retryAfter: Int64?) -> Int64 {
    max(min(5_000 << min(outages, 10), longest), min(retryAfter ?? 0, longestAskedFor))
  }
}
