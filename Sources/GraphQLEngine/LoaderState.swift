/// What a `GraphQLLoader` has loaded, and the keys that it loads or is about to load. The keys of one call of its
/// closure are a batch, which has a number.
struct LoaderState<Key: Hashable & Sendable, Value: Sendable> {
  /// The result of a batch.
  enum Outcome: Sendable {
    case loaded([Key: Value])
    case failed(any Error)
    /// The task that loaded it was cancelled, or the batch has ended before the caller waited.
    case unknown
  }

  /// What a caller has to do next.
  struct Step: Sendable {
    /// The values that are loaded.
    var known: [Key: Value?] = [:]
    /// The batch that the caller must wait for; nil if all values are known.
    var batch: Int?
    /// The caller's keys in this batch.
    var keys: [Key] = []
    /// Whether the caller must load the batch.
    var loads = false
  }

  private enum Entry {
    case loaded(Value?)
    case loading(batch: Int)
  }

  /// So many entries fit a few megabytes, and more than the keys of most responses.
  private static var maximumCount: Int { 10_000 }

  private var entries: [Key: Entry] = [:]
  /// The batch that gathers keys.
  private var batch = 0
  private var keys: [Key] = []
  /// Whether a caller is about to load the batch that gathers keys.
  private var hasLoader = false
  /// The callers that wait, by the number of the batch. A batch has an entry from its first key to its end.
  private var waiting: [Int: [CheckedContinuation<Outcome, Never>]] = [:]

  /// Adds a key that is neither loaded nor being loaded to the next batch.
  mutating func gather(_ key: Key) {
    guard entries[key] == nil else { return }
    entries[key] = .loading(batch: batch)
    keys.append(key)
    waiting[batch, default: []] += []
  }

  /// Looks up keys, and gathers those that are not loaded.
  mutating func step(for keys: [Key]) -> Step {
    var step = Step()
    var missing: [(key: Key, batch: Int)] = []
    for key in keys {
      gather(key)
      switch entries[key] {
      case .loaded(let value): step.known.updateValue(value, forKey: key)
      case .loading(let batch): missing.append((key, batch))
      case nil: break
      }
    }
    let isLoadable = !hasLoader && missing.contains { $0.batch == batch }
    guard let chosen = isLoadable ? batch : missing.first?.batch else { return step }
    step.batch = chosen
    step.keys = missing.filter { $0.batch == chosen }.map(\.key)
    step.loads = isLoadable
    if isLoadable { hasLoader = true }
    return step
  }

  /// Begins to load the batch that has gathered keys.
  mutating func takeKeys() -> [Key] {
    defer {
      keys = []
      hasLoader = false
      batch += 1
    }
    return keys
  }

  /// Ends a batch.
  ///
  /// - Returns: The callers that wait for it.
  mutating func finish(
    _ batch: Int,
    of keys: [Key],
    with outcome: Outcome
  ) -> [CheckedContinuation<Outcome, Never>] {
    if entries.count > Self.maximumCount {
      entries = entries.filter { if case .loading = $0.value { true } else { false } }
    }
    for key in keys {
      // A key that was removed meanwhile can be in a later batch.
      guard case .loading(batch) = entries[key] else { continue }
      if case .loaded(let values) = outcome { entries[key] = .loaded(values[key]) } else { entries[key] = nil }
    }
    return waiting.removeValue(forKey: batch) ?? []
  }

  /// Lets a caller wait for a batch; false if it has ended.
  mutating func wait(_ caller: CheckedContinuation<Outcome, Never>, for batch: Int) -> Bool {
    waiting[batch]?.append(caller) != nil
  }

  mutating func remove(_ key: Key) {
    // The batch that gathers keys loads the value afterwards, as it must.
    if case .loading(batch) = entries[key] { return }
    entries[key] = nil
  }
}
