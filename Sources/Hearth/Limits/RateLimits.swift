import GraphQL
import Storage

/// Counts each limited action per network, per subject and in total, in bounded memory.
///
/// Processes on one PostgreSQL database also share the counts of actions that cost a hash, a mail or a lookup
/// (`LimitedAction.isShared`). The memory decides first, so that a flood does not reach the database.
final class RateLimits: Sendable {
  /// The caller of an action, which determines the budgets that it consumes.
  struct Caller: Sendable {
    /// Nil if networks cannot be distinguished. Then only the limits per subject and in total apply.
    var network: ClientNetwork?
    var subject: LimitedSubject?
    /// Whether the caller is exempt from the subject's budget for all networks together, and from the total.
    var isKnown = false
  }

  /// By action, and by kind of budget within it. Nil where an action has no such budget.
  private let sketches = LimitedAction.allCases.flatMap { action in
    BudgetKind.allCases.map { kind in action.limits.limit(of: kind).map { RateSketch($0, width: kind.width) } }
  }
  /// Nil for one process.
  private let shared: SharedRateLimits?

  init(_ shared: SharedRateLimits? = nil) { self.shared = shared }

  /// The same as `take`, and then from the budgets that all processes share. If the database does not answer, the
  /// budgets of this process decide.
  ///
  /// If the shared budgets have too little left, the tokens of this process stay consumed. A caller who keeps trying is
  /// then admitted no more often than the limit allows, and its rejected attempts do not reach the database.
  func takeShared(_ action: LimitedAction, count: Int64 = 1, by caller: Caller, at now: Int64) async -> Int64? {
    if let wait = take(action, count: count, by: caller, at: now) { return wait }
    guard let shared, action.isShared else { return nil }
    return await shared.take(action, count: count, by: caller, at: now)
  }

  /// Returns the tokens that `takeShared` consumed for the same caller.
  func giveBackShared(_ action: LimitedAction, by caller: Caller, at now: Int64) async {
    giveBack(action, by: caller, at: now)
    guard let shared, action.isShared else { return }
    await shared.giveBack(action, by: caller)
  }

  /// Whether actions are counted by more than this process.
  var areShared: Bool { shared != nil }

  private func sketch(of action: LimitedAction, _ kind: BudgetKind) -> RateSketch? {
    sketches[action.rawValue * BudgetKind.count + kind.rawValue]
  }

  /// Consumes `count` tokens from all budgets of the action, or none if one has fewer left. Then returns the
  /// milliseconds until they are available.
  func take(_ action: LimitedAction, count: Int64 = 1, by caller: Caller, at now: Int64) -> Int64? {
    var (wait, taken): (Int64?, Int) = (nil, 0)
    BudgetName.forEach(of: caller) { name in
      guard let sketch = sketch(of: action, name.kind) else { return true }
      wait = sketch.take(name, count: count, at: now)
      if wait == nil { taken += 1 }
      return wait == nil
    }
    if wait != nil { giveBack(action, count: count, by: caller, budgets: taken, at: now) }
    return wait
  }

  /// Returns the tokens that `take` consumed for the same caller.
  ///
  /// - Parameter budgets: from how many of the budgets, the first ones, they were consumed.
  func giveBack(_ action: LimitedAction, count: Int64 = 1, by caller: Caller, budgets: Int = .max, at now: Int64) {
    var rest = budgets
    BudgetName.forEach(of: caller) { name in
      guard rest > 0 else { return false }
      guard let sketch = sketch(of: action, name.kind) else { return true }
      sketch.giveBack(name, count: count, at: now)
      rest -= 1
      return true
    }
  }

  /// The same as `takeShared` within a write. The tokens are returned if the transaction is rolled back: it changes
  /// nothing then, or runs again.
  func takeShared(_ action: LimitedAction, by caller: Caller, in write: DatedWrite) throws -> Int64? {
    let now = write.now.milliseconds
    if let wait = take(action, by: caller, at: now) { return wait }
    let tokens = UncommittedTokens { [self] in giveBack(action, by: caller, at: now) }
    write.transaction.afterCommit { tokens.keep() }
    guard let shared, action.isShared else { return nil }
    return try shared.take(action, by: caller, in: write)
  }

  /// Returns tokens when it is released, unless they are kept before: a transaction releases its actions when it is
  /// rolled back.
  private final class UncommittedTokens {
    private let giveBack: () -> Void
    private var isKept = false

    init(_ giveBack: @escaping () -> Void) { self.giveBack = giveBack }

    func keep() { isKept = true }

    deinit { if !isKept { giveBack() } }
  }

  /// Only the write knows whether anybody is notified.
  func takeRequest(from sender: GlobalID, to recipient: GlobalID, in write: DatedWrite) throws {
    try require(.ask, by: Caller(subject: .people(sender, recipient)), in: write)
    try require(.askAnyone, by: Caller(subject: .person(sender)), in: write)
  }

  /// Only the write knows which scopes the contact was shown before.
  func takeShare(
    from person: GlobalID,
    to contact: GlobalID,
    network: ClientNetwork?,
    in write: DatedWrite
  ) throws {
    try require(.share, by: Caller(subject: .people(person, contact)), in: write)
    try require(.shareWithAnyone, by: Caller(network: network, subject: .person(person)), in: write)
  }

  /// Only the write knows the family's present time zone.
  func takeTimeZoneChange(of family: GlobalID, in write: DatedWrite) throws {
    try require(.timeZoneChange, by: Caller(subject: .family(family)), in: write)
  }

  /// The same as `takeShared`, but throws if a budget has no token left.
  func require(_ action: LimitedAction, by caller: Caller, in write: DatedWrite) throws {
    if let wait = try takeShared(action, by: caller, in: write) { throw FieldError.rateLimited(for: wait) }
  }
}
