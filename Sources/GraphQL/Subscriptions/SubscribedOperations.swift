/// The operations of a loop's open subscriptions, bounded in bytes: they stay in memory although the cache of plans may
/// have evicted them.
///
/// An operation counts once for each of its plans that subscriptions use, however many use it. Each caller is charged
/// for the plans of their own subscriptions, whether or not others use them too, so no caller pays for those of others.
struct SubscribedOperations {
  /// What subscriptions use. The sum of the bytes is bounded.
  private struct Account {
    private var uses: [PreparedOperation.PlanID: (byteCount: Int, subscriptionCount: Int)] = [:]
    private var byteCount = 0

    var isEmpty: Bool { uses.isEmpty }

    func byteCount(of plan: PreparedOperation.PlanID) -> Int? { uses[plan]?.byteCount }

    func hasRoom(for plan: PreparedOperation.PlanID, of bytes: Int, in maximumBytes: Int) -> Bool {
      uses[plan] != nil || byteCount + bytes <= maximumBytes
    }

    mutating func add(_ plan: PreparedOperation.PlanID, of bytes: Int) {
      if uses[plan] == nil { byteCount += bytes }
      uses[plan, default: (bytes, 0)].subscriptionCount += 1
    }

    mutating func remove(_ plan: PreparedOperation.PlanID) {
      guard let use = uses[plan] else { return }
      if use.subscriptionCount > 1 {
        uses[plan]?.subscriptionCount -= 1
      } else {
        uses[plan] = nil
        byteCount -= use.byteCount
      }
    }
  }

  private var all = Account()
  /// By caller; nil for callers who are not known.
  private var accounts: [Int?: Account] = [:]
  private let maximumBytes: Int
  /// One caller's: an eighth, so that others can still subscribe.
  private var maximumBytesOfPayer: Int { maximumBytes / 8 }

  init(maximumBytes: Int) { self.maximumBytes = maximumBytes }

  /// Adds a subscription. Returns false, and adds nothing, if its operation takes more bytes than are left.
  mutating func add(_ operation: PreparedOperation, variables: VariableValues, payer: Int?) -> Bool {
    let plan = operation.planID(for: variables)
    let bytes = all.byteCount(of: plan) ?? operation.byteCount(for: variables)
    guard all.hasRoom(for: plan, of: bytes, in: maximumBytes),
      accounts[payer, default: Account()].hasRoom(for: plan, of: bytes, in: maximumBytesOfPayer)
    else { return false }
    if all.byteCount(of: plan) == nil { operation.retainPlan(for: variables) }
    all.add(plan, of: bytes)
    accounts[payer, default: Account()].add(plan, of: bytes)
    return true
  }

  /// Removes a subscription that was added.
  mutating func remove(_ operation: PreparedOperation, variables: VariableValues, payer: Int?) {
    let plan = operation.planID(for: variables)
    all.remove(plan)
    if all.byteCount(of: plan) == nil { operation.releasePlan(for: variables) }
    accounts[payer]?.remove(plan)
    if accounts[payer]?.isEmpty == true { accounts[payer] = nil }
  }
}
