import Crypto
import Foundation
import Storage

/// The budgets that the processes on a PostgreSQL database share, with the limits of `LimitedAction`.
///
/// The database contains only keyed hashes of what they are for: a reader of it learns no address or account name.
struct SharedRateLimits: Sendable {
  private static let nameLength = 16

  private let rates: SharedRates
  private let key: SymmetricKey

  /// - Parameter key: a secret of the data.
  init(_ rates: SharedRates, key: [UInt8]) {
    self.rates = rates
    self.key = SymmetricKey(data: key)
  }

  /// See `RateLimits.takeShared`. Nil if the database does not answer.
  func take(
    _ action: LimitedAction,
    count: Int64 = 1,
    by caller: RateLimits.Caller,
    at now: Int64
  ) async -> Int64? {
    do { return try await rates.take(charges(for: action, count: count, caller), at: now) } catch { return nil }
  }

  func take(_ action: LimitedAction, by caller: RateLimits.Caller, in write: DatedWrite) throws -> Int64? {
    try write.transaction.take(charges(for: action, count: 1, caller), at: write.now.milliseconds)
  }

  func giveBack(_ action: LimitedAction, by caller: RateLimits.Caller) async {
    try? await rates.giveBack(charges(for: action, count: 1, caller))
  }

  private func charges(
    for action: LimitedAction,
    count: Int64,
    _ caller: RateLimits.Caller
  ) -> [SharedRates.Charge] {
    let limits = action.limits
    var charges: [SharedRates.Charge] = []
    BudgetName.forEach(of: caller) { name in
      guard let limit = limits.limit(of: name.kind) else { return true }
      let code = HMAC<SHA256>.authenticationCode(for: Data("rate limit \(action) \(name.text)".utf8), using: key)
      charges.append(
        SharedRates.Charge(
          name: Array(code.prefix(Self.nameLength)),
          cost: min(count, limit.burst) * limit.interval,
          capacity: limit.burst * limit.interval
        )
      )
      return true
    }
    return charges
  }
}
