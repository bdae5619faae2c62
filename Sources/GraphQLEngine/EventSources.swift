import GraphQL
import Synchronization

/// The event sequences of the subscriptions of one loop. Each subscription has a topic of its own. Its sequence is read
/// from the start of the subscription to its end.
package final class EventSources: Sendable {
  typealias Sequence = @Sendable () async throws -> sending EventReader

  /// Makes the request error with which a subscription ends whose sequence has thrown an error.
  typealias ErrorMaker = @Sendable (any Error) -> GraphQL.GraphQLError

  /// A sequence that has not begun, and what its errors are for clients.
  struct Events: Sendable {
    let sequence: Sequence
    let requestError: ErrorMaker
  }

  /// The sequence of one subscription. It lives as long as the subscription's stream.
  private final class Source: Hashable, Sendable {
    let events: Events
    let onDeinit: @Sendable () -> Void

    init(_ events: Events, onDeinit: @escaping @Sendable () -> Void) {
      self.events = events
      self.onDeinit = onDeinit
    }

    deinit { onDeinit() }

    static func == (one: Source, other: Source) -> Bool { one === other }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
  }

  private struct WeakSource: Sendable {
    weak let source: Source?
  }

  private struct State {
    var lastKey: Int64 = 0
    var sources: [Int64: WeakSource] = [:]
    var tasks: [Int64: Task<Void, Never>] = [:]
  }

  private let state = Mutex(State())

  package init() {}

  /// The stream of a new subscription.
  func stream(requestError: @escaping ErrorMaker, _ sequence: @escaping Sequence) -> SourceStream {
    let key = state.withLock { state in
      state.lastKey += 1
      return state.lastKey
    }
    let events = Events(sequence: sequence, requestError: requestError)
    let source = Source(events) { [weak self] in self?.forget(key) }
    state.withLock { $0.sources[key] = WeakSource(source: source) }
    // The stream retains the source, so nothing remains of a subscription that never starts.
    return SourceStream(Topic("source", key: key), visibility: source)
  }

  /// The events of a stream, for a caller that reads them without a hub.
  func events(of stream: SourceStream) -> Events? {
    (stream.visibility.base as? Source)?.events
  }

  private func forget(_ key: Int64) { state.withLock { $0.sources[key] = nil } }

  /// Publishes to a hub. `spawn` must run its tasks on the hub's loop.
  package func attach(
    to hub: SubscriptionHub,
    spawn: @escaping @Sendable (@escaping @Sendable () async -> Void) -> Task<Void, Never>
  ) {
    hub.topicDidChange = { [unowned hub] topic, isListenedTo in
      if isListenedTo { self.start(topic, hub: hub, spawn) } else { self.stop(topic) }
    }
  }

  private func start(
    _ topic: Topic,
    hub: SubscriptionHub,
    _ spawn: (@escaping @Sendable () async -> Void) -> Task<Void, Never>
  ) {
    guard let events = state.withLock({ $0.sources[topic.key]?.source })?.events else { return }
    let task = spawn {
      do {
        let next = try await events.sequence()
        while let event = try await next() {
          hub.publish(SourceEvent(event), to: topic)
          await hub.finishPublishing(to: topic)
          // Lets the loop serve others between two events.
          await Task.yield()
        }
        hub.end(topic)
      } catch {
        guard !Task.isCancelled else { return }
        hub.end(topic, with: [events.requestError(error)])
      }
    }
    state.withLock { $0.tasks[topic.key] = task }
  }

  private func stop(_ topic: Topic) {
    state.withLock { $0.tasks.removeValue(forKey: topic.key) }?.cancel()
  }
}
