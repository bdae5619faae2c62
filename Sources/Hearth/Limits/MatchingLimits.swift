import GraphQL

/// How many addresses and numbers an account can find people by, so that nobody tries all that there are. A telephone's
/// whole address book goes through at once, twice; a day brings some 29,000 more.
struct MatchingLimits: Sendable {
  /// Addresses and numbers are counted by so many.
  static let step = 100

  private let addresses = RateLimiter(burst: 400, every: .seconds(300))
  /// Each asks the provider.
  private let friends = RateLimiter(burst: 10, every: .seconds(60))

  func takeAddresses(_ count: Int, of account: GlobalID, at now: Int64) throws(FieldError) {
    let steps = Int64(max((count + Self.step - 1) / Self.step, 1))
    if let wait = addresses.take(account, steps, at: now) { throw .rateLimited(for: wait) }
  }

  func takeFriends(of account: GlobalID, at now: Int64) throws(FieldError) {
    if let wait = friends.take(account, at: now) { throw .rateLimited(for: wait) }
  }
}
