import GraphQL
import Storage

/// Counts each limited action per network, per subject and in total, in bounded memory.
final class RateLimits: Sendable {
  /// The caller of an action, which determines the budgets that it consumes.
  struct Caller: Sendable {
    /// Nil if networks cannot be distinguished. Then only the limits per subject and in total apply.
    var network: ClientNetwork?
    var subject: LimitedSubject?
    /// Whether the caller is exempt from the subject's budget for all networks together, and from the total.
    var isKnown = false
  }

  private struct Pair: Hashable {
    let network: ClientNetwork
    let subject: LimitedSubject
  }

  private struct Counters: Sendable {
    let network: RateSketch?
    let site: RateSketch?
    let pair: RateSketch?
    let subject: RateSketch?
    /// A sketch with a single key.
    let total: RateSketch?

    init(_ limits: ActionLimits) {
      network = limits.network.map { RateSketch($0) }
      site = limits.network.map { RateSketch($0.scaled(by: ActionLimits.siteFactor)) }
      pair = limits.pair.map { RateSketch($0, width: 16_384) }
      subject = limits.subject.map { RateSketch($0, width: 16_384) }
      total = limits.total.map { RateSketch($0, width: 1) }
    }
  }

  private let counters = LimitedAction.allCases.map { Counters($0.limits) }

  /// Consumes `count` tokens from all budgets of the action, or none if one has fewer left. Then returns the
  /// milliseconds until they are available.
  func take(_ action: LimitedAction, count: Int64 = 1, by caller: Caller, at now: Int64) -> Int64? {
    var taken: [Budget] = []
    for budget in budgets(of: action, caller) {
      if let wait = budget.sketch.take(budget.name, count: count, at: now) {
        for earlier in taken { earlier.sketch.giveBack(earlier.name, count: count) }
        return wait
      }
      taken.append(budget)
    }
    return nil
  }

  /// Returns the tokens that `take` consumed for the same caller.
  func giveBack(_ action: LimitedAction, count: Int64 = 1, by caller: Caller) {
    for budget in budgets(of: action, caller) { budget.sketch.giveBack(budget.name, count: count) }
  }

  /// The same within a write. The tokens are returned if the transaction is rolled back: it changes nothing then, or
  /// runs again.
  func take(
    _ action: LimitedAction,
    by caller: Caller,
    at now: Int64,
    in transaction: WriteTransaction
  ) -> Int64? {
    if let wait = take(action, by: caller, at: now) { return wait }
    let tokens = UncommittedTokens { [self] in giveBack(action, by: caller) }
    transaction.afterCommit { tokens.keep() }
    return nil
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
  func takeRequest(
    from sender: GlobalID,
    to recipient: GlobalID,
    at now: Int64,
    in transaction: WriteTransaction
  ) throws(FieldError) {
    let caller = Caller(subject: .people(sender, recipient))
    if let wait = take(.ask, by: caller, at: now, in: transaction) { throw .rateLimited(for: wait) }
  }

  private struct Budget {
    let sketch: RateSketch
    let name: AnyHashable
  }

  /// In the order in which they are consumed.
  private func budgets(of action: LimitedAction, _ caller: Caller) -> [Budget] {
    let counters = counters[action.rawValue]
    var budgets: [Budget] = []
    func add(_ sketch: RateSketch?, name: AnyHashable?) {
      if let sketch, let name { budgets.append(Budget(sketch: sketch, name: name)) }
    }
    add(counters.network, name: caller.network.map { AnyHashable($0) })
    add(counters.site, name: caller.network?.site.map { AnyHashable($0) })
    if let network = caller.network, let subject = caller.subject {
      add(counters.pair, name: AnyHashable(Pair(network: network, subject: subject)))
    }
    // Known callers are admitted while others, from any network, have used up the subject's budget or the total.
    guard !caller.isKnown else { return budgets }
    add(counters.subject, name: caller.subject.map { AnyHashable($0) })
    add(counters.total, name: AnyHashable(0))
    return budgets
  }
}
