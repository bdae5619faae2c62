import Synchronization

/// Counts what is done under each of any number of names, in a memory that does not grow.
///
/// A name has a place in each of two rows, found by a hash that nobody outside can foresee; what others who share a place
/// have done counts against it there, so the emptier of the two is believed. When one who floods all places is done with
/// it, they empty by themselves.
final class RateLimiter: Sendable {
  private static let placesInRow = 4_096

  let limit: RateLimit
  private let places = Mutex([Int64](repeating: 0, count: 2 * placesInRow))

  init(burst: Int64, every interval: Duration) {
    limit = RateLimit(burst: burst, interval: interval.components.seconds * 1000)
  }

  /// Takes one, or so many, for the name. Where they are not to be had takes nothing, and returns for how long, in
  /// milliseconds.
  func take(_ name: some Hashable, _ count: Int64 = 1, at now: Int64) -> Int64? {
    let (first, second) = Self.places(of: name)
    return places.withLock { places in
      let wait = min(limit.wait(places[first], for: count, at: now), limit.wait(places[second], for: count, at: now))
      guard wait == 0 else { return wait }
      limit.take(&places[first], count, at: now)
      limit.take(&places[second], count, at: now)
      return nil
    }
  }

  /// For what turned out not to count.
  func giveBack(_ name: some Hashable) {
    let (first, second) = Self.places(of: name)
    places.withLock { places in
      limit.giveBack(&places[first])
      limit.giveBack(&places[second])
    }
  }

  private static func places(of name: some Hashable) -> (Int, Int) {
    var hasher = Hasher()
    hasher.combine(name)
    let hash = UInt64(bitPattern: Int64(hasher.finalize()))
    return (Int(hash % UInt64(placesInRow)), placesInRow + Int((hash >> 32) % UInt64(placesInRow)))
  }
}
