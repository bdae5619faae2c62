import Synchronization

/// Loads values by their keys for all resolvers of a request: many keys with one call, and each key once.
///
/// Make one for each kind of value when the context of a request is made, and keep it there:
///
/// ```swift
/// struct Context: Sendable { let users: GraphQLLoader<User.ID, User> }
///
/// Context(users: GraphQLLoader { ids in try await database.users(ids) })  // [User.ID: User]
/// ```
///
/// Fields use it by `ObjectFields.field(_:by:with:)`, and other resolvers by calling it:
///
/// ```swift
/// message.field("author", by: \.authorID, with: \.users)
///
/// guard let owner = try await request.context.users(room.ownerID), owner.isActive else { … }
/// ```
///
/// The fields of a response's level share one call, also those of different types. What resolvers that run at the same
/// time request joins it if they request it before they wait for anything else, and is loaded by a further call
/// otherwise.
///
/// A loader keeps what it has loaded, also that a key has no value, and no errors. It is therefore a part of one
/// request: do not share it, and remove what a mutation changes. The loader of a context that lives longer, such as
/// that of a subscription, returns old values. It forgets earlier values when it has more than 10,000.
public final class GraphQLLoader<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private let state = Mutex(LoaderState<Key, Value>())
  private let load: @Sendable ([Key]) async throws -> [Key: Value]

  /// Creates a loader that has loaded nothing.
  ///
  /// - Parameter load: A closure that returns the values of different keys. A key that is missing in the dictionary has
  ///   no value. An error is that of all the keys, which are loaded again when they are next requested. The closure
  ///   must not request these keys from the loader, which would wait for itself. It runs in the task of the first
  ///   resolver that waits for its result, and is cancelled with it. Resolvers that are not cancelled then load their
  ///   keys again.
  public init(_ load: @escaping @Sendable (_ keys: [Key]) async throws -> [Key: Value]) { self.load = load }

  /// Returns the value of a key; `nil` if the key has none.
  ///
  /// - Throws: The error of the closure that loads the values; `CancellationError` if it was cancelled, and the caller
  ///   too.
  public func callAsFunction(_ key: Key) async throws -> Value? {
    try await results(of: [key])[key]?.get() ?? nil
  }

  /// Forgets the value of a key, which is loaded again when it is next requested. A load of the key that has begun
  /// still returns its value to those that wait for it.
  public func remove(_ key: Key) { state.withLock { $0.remove(key) } }

  /// Adds keys to the next call, so that it has those of all fields of a level.
  func gather(_ keys: [Key]) {
    state.withLock { state in
      for key in keys { state.gather(key) }
    }
  }

  /// The values of keys, each nil if the key has none, and the errors of those that could not be loaded.
  func results(of keys: [Key]) async -> [Key: Result<Value?, any Error>] {
    var results: [Key: Result<Value?, any Error>] = [:]
    while true {
      let missing = keys.filter { results[$0] == nil }
      let step = state.withLock { $0.step(for: missing) }
      results.merge(step.known.mapValues { .success($0) }) { $1 }
      guard let batch = step.batch else { return results }
      switch await step.loads ? outcome(ofLoading: batch) : outcome(of: batch) {
      case .loaded(let values): for key in step.keys { results[key] = .success(values[key]) }
      case .failed(let error): for key in step.keys { results[key] = .failure(error) }
      case .unknown:
        // Otherwise the keys are requested again.
        guard Task.isCancelled else { continue }
        for key in missing where results[key] == nil { results[key] = .failure(CancellationError()) }
      }
    }
  }

  /// How often other tasks run before a batch is loaded, so that the resolvers that have just started can add keys.
  /// More than once, because a call of an actor ends a turn, too.
  private static var turns: Int { 3 }

  private func outcome(ofLoading batch: Int) async -> LoaderState<Key, Value>.Outcome {
    for _ in 0..<Self.turns { await Task.yield() }
    let keys = state.withLock { $0.takeKeys() }
    let outcome: LoaderState<Key, Value>.Outcome
    do {
      try Task.checkCancellation()
      outcome = .loaded(try await load(keys))
    } catch {
      outcome = Task.isCancelled ? .unknown : .failed(error)
    }
    for waiting in state.withLock({ $0.finish(batch, of: keys, with: outcome) }) { waiting.resume(returning: outcome) }
    return outcome
  }

  /// Waits for a batch that another task loads.
  private func outcome(of batch: Int) async -> LoaderState<Key, Value>.Outcome {
    await withCheckedContinuation { continuation in
      let waits = state.withLock { $0.wait(continuation, for: batch) }
      if !waits { continuation.resume(returning: .unknown) }
    }
  }
}
