import HTTPServer

/// Delays callers whose requests take long on the loop, so that the requests of others are served in between.
///
/// A request may take `usualTime` of the loop at no charge. What it takes beyond is the caller's debt, which is paid
/// off at `share` of the time that passes. A caller with more debt than `allowance` waits until enough is paid off.
///
/// After a request that took longer than `shortTime`, the caller's next requests begin after those that the loop has
/// received from others. Otherwise eight requests of 0.3 ms that arrive together delay others by 2.4 ms.
///
/// Writing a response takes the loop's time too, after the request: its bytes beyond `freeBytes` are debt.
///
/// Confined to a loop. Times are in nanoseconds: of a monotonic clock, and of the loop thread's processor time for what
/// requests take (`LoopStopwatch`).
package struct LoopThrottle {
  package struct Limits: Sendable {
    /// What a request may take at no charge. A dashboard takes a tenth of it.
    package var usualTime: UInt64 = 500_000
    /// The debt that a caller may have before their requests wait.
    package var allowance: UInt64 = 20_000_000
    /// The time that a request may take without effect on the caller's next requests. A dashboard takes a third of it.
    package var shortTime: UInt64 = 200_000
    /// The size of a response that is written at no charge. A dashboard has a fiftieth of it.
    package var freeBytes = 256 << 10
    /// The time that the loop takes to write a byte of a large response.
    package var timeOfByte = 0.5
    /// How long the caller's requests begin after those of others once a request took longer than `shortTime`.
    package var courtesy: UInt64 = 50_000_000
    /// The part of the loop's time that a caller in debt gets; with 1 nothing is charged.
    package var share: Double
    /// The longest that a request waits; one that would wait longer is rejected.
    package var longestWait: UInt64 = 2_000_000_000

    package init(share: Double = 0.05) { self.share = share }
  }

  enum Turn: Equatable {
    case now
    /// After as many nanoseconds. `begin(_:)` must be called then, and also when the request is given up before.
    case after(UInt64)
    /// Too much is waiting. The caller can try again after as many seconds.
    case rejected(retryAfter: Int)
  }

  private struct Debtor {
    var debt: UInt64
    /// When the debt was as high.
    var time: UInt64
    /// What the latest request beyond the usual time took: an estimate for those that wait.
    var latest: UInt64
    /// Until when the caller's requests begin after those of others.
    var courteousUntil: UInt64
    var waiting = 0
  }

  /// Debtors beyond this number are not remembered, which bounds memory.
  private static let maximumDebtors = 10_000
  private let limits: Limits
  private var debtors: [Payer: Debtor] = [:]

  init(_ limits: Limits = Limits()) { self.limits = limits }

  /// The number of requests that wait for their turn.
  var waitingCount: Int { debtors.values.reduce(0) { $0 + $1.waiting } }

  /// Whether every request can begin at once.
  var isIdle: Bool { debtors.isEmpty }

  /// The time that a request may take without effect on the caller's next requests; nil if nothing is charged.
  var shortTime: UInt64? { limits.share < 1 ? limits.shortTime : nil }

  /// The size of a response that is written at no charge.
  var freeBytes: Int { limits.freeBytes }

  /// Whether a request of the caller begins later than one of others that is received now. Nothing is reserved:
  /// `takeTurn(of:at:)` does that.
  mutating func delays(_ caller: Payer, at now: UInt64) -> Bool {
    excess(of: caller, at: now) > 0 || debtors[caller].map { now < $0.courteousUntil } ?? false
  }

  /// Determines when a request of the caller can begin, once others were served. One that waits is counted.
  mutating func takeTurn(of caller: Payer, at now: UInt64) -> Turn {
    let excess = excess(of: caller, at: now)
    guard excess > 0 else { return .now }
    let wait = UInt64(Double(excess) / limits.share)
    guard wait <= limits.longestWait else { return .rejected(retryAfter: Int(wait / 1_000_000_000) + 1) }
    debtors[caller]?.waiting += 1
    return .after(wait)
  }

  /// The debt beyond the allowance, with what the requests that wait will take. A debt that is paid is forgotten.
  private mutating func excess(of caller: Payer, at now: UInt64) -> UInt64 {
    guard var debtor = debtors[caller] else { return 0 }
    settle(&debtor, at: now)
    debtors[caller] = isForgettable(debtor, at: now) ? nil : debtor
    let expected = debtor.debt + UInt64(debtor.waiting) * debtor.latest
    return expected > limits.allowance ? expected - limits.allowance : 0
  }

  /// A request that had to wait begins, or is given up.
  mutating func begin(_ caller: Payer) {
    guard let waiting = debtors[caller]?.waiting, waiting > 0 else { return }
    debtors[caller]?.waiting = waiting - 1
  }

  /// A request has taken as much of the loop's time.
  mutating func charge(_ time: UInt64, to caller: Payer, at now: UInt64) {
    guard let shortTime, time > shortTime else { return }
    add(time > limits.usualTime ? time - limits.usualTime : 0, to: caller, at: now)
  }

  /// A response of as many bytes is written to the caller.
  mutating func charge(bytes: Int, to caller: Payer, at now: UInt64) {
    guard limits.share < 1, bytes > limits.freeBytes else { return }
    add(UInt64(Double(bytes - limits.freeBytes) * limits.timeOfByte), to: caller, at: now)
  }

  private mutating func add(_ excess: UInt64, to caller: Payer, at now: UInt64) {
    let courteousUntil = now + limits.courtesy
    if var debtor = debtors[caller] {
      settle(&debtor, at: now)
      debtor.debt += excess
      if excess > 0 { debtor.latest = excess }
      debtor.courteousUntil = courteousUntil
      debtors[caller] = debtor
      return
    }
    if debtors.count >= Self.maximumDebtors { forgetPaid(at: now) }
    guard debtors.count < Self.maximumDebtors else { return }
    debtors[caller] = Debtor(debt: excess, time: now, latest: excess, courteousUntil: courteousUntil)
  }

  private func debt(of debtor: Debtor, at now: UInt64) -> UInt64 {
    let paid = UInt64(Double(now &- min(debtor.time, now)) * limits.share)
    return debtor.debt > paid ? debtor.debt - paid : 0
  }

  private func settle(_ debtor: inout Debtor, at now: UInt64) {
    debtor.debt = debt(of: debtor, at: now)
    debtor.time = now
  }

  private func isForgettable(_ debtor: Debtor, at now: UInt64) -> Bool {
    debtor.waiting == 0 && now >= debtor.courteousUntil && debt(of: debtor, at: now) == 0
  }

  private mutating func forgetPaid(at now: UInt64) {
    debtors = debtors.filter { !isForgettable($0.value, at: now) }
  }
}
