import GraphQL

/// Counts each limited action by network, by subject and in total, in bounded memory.
final class RateLimits: Sendable {
  /// The caller of an action: the budgets that it takes from.
  struct Caller: Sendable {
    /// Nil when networks cannot be distinguished. Then subject and total alone count.
    var network: ClientNetwork?
    var subject: LimitedSubject?
    /// Whether the budget that the subject has for all networks together does not apply.
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
    /// A sketch of one name.
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

  /// Takes `count` from all budgets of the action, or from none: then returns the milliseconds until they are there.
  func take(_ action: LimitedAction, _ count: Int64 = 1, by caller: Caller, at now: Int64) -> Int64? {
    var taken: [Budget] = []
    for budget in budgets(of: action, caller) {
      if let wait = budget.sketch.take(budget.name, count, at: now) {
        for earlier in taken { earlier.sketch.giveBack(earlier.name, count) }
        return wait
      }
      taken.append(budget)
    }
    return nil
  }

  /// Returns what `take` took for the same caller.
  func giveBack(_ action: LimitedAction, _ count: Int64 = 1, by caller: Caller) {
    for budget in budgets(of: action, caller) { budget.sketch.giveBack(budget.name, count) }
  }

  /// To be called within the write, which alone knows whether somebody is notified. A write that is run twice counts
  /// twice.
  func takeAsking(_ asker: GlobalID, _ asked: GlobalID, at now: Int64) throws(FieldError) {
    let caller = Caller(subject: .people(asker, asked))
    if let wait = take(.ask, by: caller, at: now) { throw .rateLimited(for: wait) }
  }

  private struct Budget {
    let sketch: RateSketch
    let name: AnyHashable
  }

  /// In the order in which they are taken.
  private func budgets(of action: LimitedAction, _ caller: Caller) -> [Budget] {
    let counters = counters[action.rawValue]
    var budgets: [Budget] = []
    func add(_ sketch: RateSketch?, _ name: AnyHashable?) {
      if let sketch, let name { budgets.append(Budget(sketch: sketch, name: name)) }
    }
    add(counters.network, caller.network.map { AnyHashable($0) })
    add(counters.site, caller.network?.site.map { AnyHashable($0) })
    if let network = caller.network, let subject = caller.subject {
      add(counters.pair, AnyHashable(Pair(network: network, subject: subject)))
    }
    // A known caller is let in while others, from everywhere, have used up what all may do.
    guard !caller.isKnown else { return budgets }
    add(counters.subject, caller.subject.map { AnyHashable($0) })
    add(counters.total, AnyHashable(0))
    return budgets
  }
}
