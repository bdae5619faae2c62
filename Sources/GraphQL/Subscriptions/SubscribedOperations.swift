/// The operations of a loop's open subscriptions, bounded in bytes: they stay in memory although the cache of plans may
/// have evicted them. An operation counts once, however many subscriptions have it, and for the caller of the first.
struct SubscribedOperations {
  private struct Use {
    /// The caller that is charged; nil for callers who are not known.
    let payer: Int?
    var byteCount = 0
    var subscriptionCount = 0
  }

  private var uses: [UInt64: Use] = [:]
  private var byteCount = 0
  private var byteCounts: [Int?: Int] = [:]
  private let maximumBytes: Int
  /// One caller's: an eighth, so that others can still subscribe.
  private var maximumBytesOfPayer: Int { maximumBytes / 8 }

  init(maximumBytes: Int) { self.maximumBytes = maximumBytes }

  /// Adds a subscription. Returns false, and adds nothing, if its operation takes more bytes than are left.
  ///
  /// - Parameter operation: May have grown since earlier subscriptions, by further plans.
  mutating func add(_ operation: PreparedOperation, for payer: Int?) -> Bool {
    var use = uses[operation.number] ?? Use(payer: payer)
    let growth = operation.byteCount - use.byteCount
    guard growth <= 0 || hasRoom(for: growth, of: use.payer) else { return false }
    charge(growth, to: use.payer)
    use.byteCount = operation.byteCount
    use.subscriptionCount += 1
    uses[operation.number] = use
    return true
  }

  /// Removes a subscription that was added.
  mutating func remove(_ operation: PreparedOperation) {
    guard var use = uses[operation.number] else { return }
    use.subscriptionCount -= 1
    uses[operation.number] = use.subscriptionCount > 0 ? use : nil
    if use.subscriptionCount == 0 { charge(-use.byteCount, to: use.payer) }
  }

  private func hasRoom(for bytes: Int, of payer: Int?) -> Bool {
    byteCount + bytes <= maximumBytes && byteCounts[payer, default: 0] + bytes <= maximumBytesOfPayer
  }

  private mutating func charge(_ bytes: Int, to payer: Int?) {
    byteCount += bytes
    let count = byteCounts[payer, default: 0] + bytes
    byteCounts[payer] = count > 0 ? count : nil
  }
}
