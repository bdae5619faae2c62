import GraphQL

extension RequestContext {
  /// Takes from the action's budgets of this request's network, of the subject, and of all.
  func take(_ action: LimitedAction, _ count: Int64 = 1, by subject: LimitedSubject? = nil) throws(FieldError) {
    let caller = RateLimits.Caller(network: client, subject: subject)
    if let wait = services.rateLimits.take(action, count, by: caller, at: now) { throw .rateLimited(for: wait) }
  }

  /// Whether the action's budgets allowed it, and it was taken from them.
  func allows(_ action: LimitedAction, by subject: LimitedSubject? = nil) -> Bool {
    services.rateLimits.take(action, by: RateLimits.Caller(network: client, subject: subject), at: now) == nil
  }

  /// Returns what `take` took.
  func giveBack(_ action: LimitedAction, by subject: LimitedSubject? = nil) {
    services.rateLimits.giveBack(action, by: RateLimits.Caller(network: client, subject: subject))
  }
}
