import EventLoop

/// A cache of the keys that a provider publishes.
///
/// The set is fetched when it is needed and stale, or when a token names an unknown key, as after a rotation.
/// Concurrent requests share one fetch, and the number of fetches is limited, whatever tokens clients send. While the
/// provider is unavailable, a stale set is used for another day.
actor KeySet {
  private struct Known {
    let keys: [String: ProviderKey]
    let fetchedAt: Int64
    let freshUntil: Int64
  }

  /// The bounds of a set's lifetime in milliseconds, within which the provider's `max-age` applies; and the default.
  private static let lifetimes: ClosedRange<Int64> = (5 * Milliseconds.minute)...Milliseconds.day
  private static let defaultLifetime: Int64 = Milliseconds.hour
  /// How long a stale set is used if fetching fails.
  private static let staleLifetime: Int64 = Milliseconds.day
  /// The rate limit of fetches.
  private static let limit = RateLimit(burst: 6, interval: 30_000)
  private static let maximumCount = 64

  private let request: WebRequest
  private let workers: WorkerPool
  private var known: Known?
  private var fetched: Int64 = 0
  private var fetching: Task<Void, Never>?
  private var failure = "The keys were fetched too often."

  init(at url: WebURL, timeout: Int, workers: WorkerPool) {
    request = WebRequest(url: url, timeout: timeout)
    self.workers = workers
  }

  /// Returns nil if the provider has no such key.
  func key(_ id: String, at now: Int64) async throws(IdentityFailure) -> ProviderKey? {
    if isFresh(at: now), let key = known?.keys[id] { return key }
    await fetch(at: now)
    guard let known, now < known.freshUntil + Self.staleLifetime else { throw .unavailable(failure) }
    return known.keys[id]
  }

  private func isFresh(at now: Int64) -> Bool {
    known.map { $0.fetchedAt <= now && now < $0.freshUntil } ?? false
  }

  /// Returns when the fetch has finished. Concurrent callers wait for the same fetch.
  private func fetch(at now: Int64) async {
    if let fetching { return await fetching.value }
    guard Self.limit.wait(&fetched, at: now) == 0 else { return }
    Self.limit.take(&fetched, at: now)
    let task = Task { await load(at: now) }
    fetching = task
    await task.value
    fetching = nil
  }

  private func load(at now: Int64) async {
    do {
      let request = request
      let (published, maxAge) = try await workers.run {
        let response = try request.perform()
        guard response.status == 200, let keys = PublishedKey.set(response.body) else {
          throw WebFailure(description: "The response with status \(response.status) is not a key set.")
        }
        return (keys, response.maxAge)
      }
      var keys: [String: ProviderKey] = [:]
      for key in published.prefix(Self.maximumCount) { keys[key.kid] = await ProviderKey(key) }
      guard !keys.isEmpty else { throw WebFailure(description: "The key set has no supported signing key.") }
      let age = maxAge.map { min(max($0, 0), 1_000_000) * 1000 } ?? Self.defaultLifetime
      known = Known(
        keys: keys,
        fetchedAt: now,
        freshUntil: now + min(max(age, Self.lifetimes.lowerBound), Self.lifetimes.upperBound)
      )
    } catch {
      failure = "\(error)"
    }
  }
}
