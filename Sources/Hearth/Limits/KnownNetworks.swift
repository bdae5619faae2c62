import Synchronization

/// The networks from which accounts have signed in. Password guesses from other networks do not lock an account out
/// there.
final class KnownNetworks: Sendable {
  private struct Pair: Hashable {
    let account: LimitedSubject
    let network: ClientNetwork
  }

  /// The hashes of account and network. A later pair replaces an earlier one in the same slot.
  private let hashes = Mutex([Int](repeating: 0, count: 4_096))

  func contains(_ network: ClientNetwork?, of account: LimitedSubject) -> Bool {
    guard let network else { return false }
    let hash = Pair(account: account, network: network).hashValue
    return hashes.withLock { hashes in hashes[Self.slot(of: hash, in: hashes)] == hash }
  }

  func insert(_ network: ClientNetwork?, of account: LimitedSubject) {
    guard let network else { return }
    let hash = Pair(account: account, network: network).hashValue
    hashes.withLock { hashes in hashes[Self.slot(of: hash, in: hashes)] = hash }
  }

  private static func slot(of hash: Int, in hashes: [Int]) -> Int {
    Int(UInt(bitPattern: hash) % UInt(hashes.count))
  }
}
