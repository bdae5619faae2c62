import EventLoop

/// The keys that a provider publishes, as they were when last asked for.
///
/// They are asked for when they are needed and too old, or a token names one that is not among them, as after a
/// rotation; but never by more than one at a time, and not without end, whatever tokens come. While the provider is
/// down, those that are known serve for another day.
actor KeySet {
  private struct Known {
    let keys: [String: ProviderKey]
    let fetchedAt: Int64
    let freshUntil: Int64
  }

  /// How long a set is good, in milliseconds, within which the provider may choose; and without its word.
  private static let lifetimes: ClosedRange<Int64> = 300_000...86_400_000
  private static let defaultLifetime: Int64 = 3_600_000
  /// For how long after that it serves where there is no newer.
  private static let patience: Int64 = 86_400_000
  /// How often it is asked for.
  private static let limit = RateLimit(burst: 6, interval: 30_000)
  private static let maximumCount = 64

  private let request: WebRequest
  private let workers: WorkerPool
  private var known: Known?
  private var fetched: Int64 = 0
  private var fetching: Task<Void, Never>?
  private var fault = "They were asked for too often."

  init(at url: WebURL, timeout: Int, workers: WorkerPool) {
    request = WebRequest(url: url, timeout: timeout)
    self.workers = workers
  }

  /// Nil where the provider has no such key.
  func key(_ id: String, at now: Int64) async throws(IdentityFailure) -> ProviderKey? {
    if isFresh(at: now), let key = known?.keys[id] { return key }
    await fetch(at: now)
    guard let known, now < known.freshUntil + Self.patience else { throw .unavailable(fault) }
    return known.keys[id]
  }

  private func isFresh(at now: Int64) -> Bool {
    known.map { $0.fetchedAt <= now && now < $0.freshUntil } ?? false
  }

  /// Returns when the set has been asked for; whoever comes meanwhile waits for the same answer.
  private func fetch(at now: Int64) async {
    if let fetching { return await fetching.value }
    guard Self.limit.wait(fetched, at: now) == 0 else { return }
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
        let answer = try request.perform()
        guard answer.status == 200, let keys = PublishedKey.set(answer.body) else {
          throw WebFailure(description: "The answer (\(answer.status)) is no set of keys.")
        }
        return (keys, answer.maxAge)
      }
      var keys: [String: ProviderKey] = [:]
      for key in published.prefix(Self.maximumCount) { keys[key.kid] = await ProviderKey(key) }
      guard !keys.isEmpty else { throw WebFailure(description: "There is no key of ours in the set.") }
      let age = maxAge.map { min(max($0, 0), 1_000_000) * 1000 } ?? Self.defaultLifetime
      known = Known(
        keys: keys,
        fetchedAt: now,
        freshUntil: now + min(max(age, Self.lifetimes.lowerBound), Self.lifetimes.upperBound)
      )
    } catch {
      fault = "\(error)"
    }
  }
}
