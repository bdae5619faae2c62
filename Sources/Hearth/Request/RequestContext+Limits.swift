import GraphQL

extension RequestContext {
  /// Consumes from the action's budgets of this request's network, of the subject, and in total.
  func take(_ action: LimitedAction, by subject: LimitedSubject? = nil) async throws(FieldError) {
    if let wait = await wait(for: action, by: subject) { throw .rateLimited(for: wait) }
  }

  /// Consumes from the action's budgets, and returns whether they sufficed.
  func allows(_ action: LimitedAction, by subject: LimitedSubject? = nil) async -> Bool {
    await wait(for: action, by: subject) == nil
  }

  /// Returns what `take` consumed.
  func giveBack(_ action: LimitedAction, by subject: LimitedSubject? = nil) async {
    await services.rateLimits.giveBackShared(action, by: RateLimits.Caller(network: client, subject: subject))
  }

  private func wait(for action: LimitedAction, by subject: LimitedSubject?) async -> Int64? {
    let limits = services.rateLimits
    if limits.areShared { willSuspend() }
    return await limits.takeShared(action, by: RateLimits.Caller(network: client, subject: subject), at: now)
  }
}
