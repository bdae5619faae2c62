import GraphQL

extension RequestContext {
  /// Consumes from the action's budgets of this request's network, of the subject, and in total.
  func take(_ action: LimitedAction, count: Int64 = 1, by subject: LimitedSubject? = nil) async throws(FieldError) {
    if let wait = await tryTake(action, count: count, by: subject) { throw .rateLimited(for: wait) }
  }

  /// Consumes from the action's budgets if they suffice, and returns whether they did.
  func takeIfAvailable(_ action: LimitedAction, by subject: LimitedSubject? = nil) async -> Bool {
    await tryTake(action, count: 1, by: subject) == nil
  }

  /// Returns what `take` consumed.
  func giveBack(_ action: LimitedAction, by subject: LimitedSubject? = nil) async {
    await services.rateLimits.giveBackShared(action, by: RateLimits.Caller(network: client, subject: subject))
  }

  /// See `RateLimits.takeShared`. Returns the milliseconds until the budgets suffice; nil if they did.
  private func tryTake(_ action: LimitedAction, count: Int64, by subject: LimitedSubject?) async -> Int64? {
    let limits = services.rateLimits
    if limits.areShared { willSuspend() }
    let caller = RateLimits.Caller(network: client, subject: subject)
    return await limits.takeShared(action, count: count, by: caller, at: now)
  }
}
