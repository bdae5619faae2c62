import GraphQL
import Synchronization

/// How often a password may be wrong. Whoever guesses is slowed down; the family itself is not locked out by it: wrong
/// passwords from one network do not count for another, and a network from which the account has signed in before is not
/// held to what all others together have used up.
final class SignInLimits: Sendable {
  /// Who signs in from where.
  private struct Pair: Hashable {
    let account: String
    let network: ClientNetwork
  }

  private let ofPair = RateLimiter(burst: 10, every: .seconds(30))
  private let ofNetwork = RateLimiter(burst: 60, every: .seconds(5))
  private let ofAccount = RateLimiter(burst: 100, every: .seconds(30))
  /// The pairs that have signed in, each by its hash; a later one takes an earlier one's place.
  private let known = Mutex([Int](repeating: 0, count: 4_096))

  /// Counts an attempt as one that failed, before the password is looked at, so that many at once are no way around it;
  /// refuses it where there were too many. `account` is what was typed, whether or not somebody has that name.
  func begin(_ account: String, from network: ClientNetwork?, at now: Int64) throws(FieldError) {
    let account = Self.bounded(account)
    guard let network else {
      if let wait = ofAccount.take(account, at: now) { throw FieldError.rateLimited(for: wait) }
      return
    }
    let pair = Pair(account: account, network: network)
    if let wait = ofNetwork.take(network, at: now) { throw FieldError.rateLimited(for: wait) }
    if let wait = ofPair.take(pair, at: now) {
      ofNetwork.giveBack(network)
      throw FieldError.rateLimited(for: wait)
    }
    if !isKnown(pair), let wait = ofAccount.take(account, at: now) {
      ofNetwork.giveBack(network)
      ofPair.giveBack(pair)
      throw FieldError.rateLimited(for: wait)
    }
  }

  /// The attempt does not count.
  func giveBack(_ account: String, from network: ClientNetwork?) {
    let account = Self.bounded(account)
    guard let network else { return ofAccount.giveBack(account) }
    let pair = Pair(account: account, network: network)
    ofNetwork.giveBack(network)
    ofPair.giveBack(pair)
    if !isKnown(pair) { ofAccount.giveBack(account) }
  }

  /// The password was right: the attempt does not count, and the account is known to be used from there.
  func succeed(_ account: String, from network: ClientNetwork?) {
    giveBack(account, from: network)
    guard let network else { return }
    let pair = Pair(account: account, network: network)
    let hash = pair.hashValue
    known.withLock { known in known[Self.place(of: hash, in: known)] = hash }
  }

  /// A name too long to be anybody's is one like another.
  private static func bounded(_ account: String) -> String { account.utf8.count <= 320 ? account : "" }

  private func isKnown(_ pair: Pair) -> Bool {
    let hash = pair.hashValue
    return known.withLock { known in known[Self.place(of: hash, in: known)] == hash }
  }

  private static func place(of hash: Int, in known: [Int]) -> Int {
    Int(UInt(bitPattern: hash) % UInt(known.count))
  }
}
