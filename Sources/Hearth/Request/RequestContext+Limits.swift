import GraphQL

extension RequestContext {
  /// Consumes from the action's budgets of this request's network, of the subject, and in total.
  func take(_ action: LimitedAction, count: Int64 = 1, by subject: LimitedSubject? = nil) throws(FieldError) {
    let caller = RateLimits.Caller(network: client, subject: subject)
    if let wait = services.rateLimits.take(action, count: count, by: caller, at: now) { throw .rateLimited(for: wait) }
  }

  /// Consumes from the action's budgets, and returns whether they sufficed.
  func allows(_ action: LimitedAction, by subject: LimitedSubject? = nil) -> Bool {
    services.rateLimits.take(action, by: RateLimits.Caller(network: client, subject: subject), at: now) == nil
  }

  /// Returns what `take` consumed.
  func giveBack(_ action: LimitedAction, by subject: LimitedSubject? = nil) {
    services.rateLimits.giveBack(action, by: RateLimits.Caller(network: client, subject: subject))
  }
}
