import GraphQL

extension RequestContext {
  /// Consumes from the action's budgets of this request's network, of the subject, and in total.
  func take(_ action: LimitedAction, count: Int64 = 1, by subject: LimitedSubject? = nil) async throws(FieldError) {
    if let wait = await tryTake(action, count: count, by: subject) { throw .rateLimited(for: wait) }
  }

  /// Counts a mutation of a member by the size of its arguments.
  func takeMutation(_ arguments: Arguments) throws(FieldError) {
    try takeMutations(1 + arguments.textBytes / LimitedAction.unitOfMutations)
  }

  /// Consumes from the family's budget of mutations. Those of visitors have limits of their own.
  func takeMutations(_ count: Int) throws(FieldError) {
    guard let family else { return }
    let caller = RateLimits.Caller(network: client, subject: .family(family))
    // At once, because processes do not share the budgets of this action.
    let wait = services.rateLimits.take(.mutation, count: Int64(count), by: caller, at: now)
    if let wait { throw .rateLimited(for: wait) }
  }

  /// Consumes from the action's budgets if they suffice, and returns whether they did.
  func takeIfAvailable(_ action: LimitedAction, by subject: LimitedSubject? = nil) async -> Bool {
    await tryTake(action, count: 1, by: subject) == nil
  }

  /// Returns what `take` consumed.
  func giveBack(_ action: LimitedAction, by subject: LimitedSubject? = nil) async {
    let caller = RateLimits.Caller(network: client, subject: subject)
    await services.rateLimits.giveBackShared(action, by: caller, at: now)
  }

  /// See `RateLimits.takeShared`. Returns the milliseconds until the budgets suffice; nil if they did.
  private func tryTake(_ action: LimitedAction, count: Int64, by subject: LimitedSubject?) async -> Int64? {
    let limits = services.rateLimits
    if limits.areShared { willSuspend() }
    let caller = RateLimits.Caller(network: client, subject: subject)
    return await limits.takeShared(action, count: count, by: caller, at: now)
  }
}

extension Arguments {
  /// The bytes of all texts in the values.
  fileprivate var textBytes: Int { fields.textBytes }
}

extension [InputField] {
  /// By index, because an iterator would retain each field.
  fileprivate var textBytes: Int {
    var count = 0
    for index in indices { count += self[index].value.textBytes }
    return count
  }
}

extension InputValue {
  fileprivate var textBytes: Int {
    switch self {
    case .string(let text): text.utf8.count
    case .list(let items): items.reduce(0) { $0 + $1.textBytes }
    case .object(let fields): fields.textBytes
    case .null, .int, .float, .boolean, .enumeration, .upload: 0
    }
  }
}
