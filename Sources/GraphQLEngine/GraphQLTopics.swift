import Synchronization

/// Events for subscriptions, by topic: what is published to a topic is read by all of its sequences.
///
/// ```swift
/// let additions = GraphQLTopics<Author.ID, Book>()
///
/// schema.subscription("bookAdded") { request in
///   additions.events(of: try request.arguments["authorId"])
/// }
/// schema.mutation("addBook") { request in
///   let book = try await request.context.library.add(request.arguments["title"])
///   additions.publish(book, to: book.authorID)
///   return book
/// }
/// ```
///
/// Events are published in this process only, and a topic without sequences takes no memory.
public final class GraphQLTopics<Topic: Hashable & Sendable, Event: Sendable>: Sendable {
  private struct State {
    var lastReader = 0
    var readers: [Topic: [Int: AsyncStream<Event>.Continuation]] = [:]
  }

  private let state = Mutex(State())

  /// Creates topics without sequences.
  public init() {}

  // The sequences do not retain the topics, so that they end with them.
  deinit {
    for reader in state.withLock({ $0.readers.values.flatMap(\.values) }) { reader.finish() }
  }

  /// Sends an event to all sequences of a topic, which have it in the same order.
  public func publish(_ event: Event, to topic: Topic) {
    // Released after the lock: what an event releases can use these topics.
    let dropped = state.withLock { state in
      var dropped: [Event] = []
      guard let readers = state.readers[topic] else { return dropped }
      for reader in readers.values {
        if case .dropped(let oldest) = reader.yield(event) { dropped.append(oldest) }
      }
      return dropped
    }
    withExtendedLifetime(dropped) {}
  }

  /// The events that are published to a topic from now on. The sequence ends when its reader does.
  ///
  /// - Parameters:
  ///   - topic: The topic.
  ///   - limit: The maximum number of events that wait for the reader. A reader that is slower loses the oldest events.
  public func events(of topic: Topic, buffering limit: Int = 256) -> AsyncStream<Event> {
    let (stream, reader) = AsyncStream.makeStream(of: Event.self, bufferingPolicy: .bufferingNewest(max(1, limit)))
    let key = state.withLock { state in
      state.lastReader += 1
      state.readers[topic, default: [:]][state.lastReader] = reader
      return state.lastReader
    }
    reader.onTermination = { [weak self] _ in self?.remove(key, from: topic) }
    return stream
  }

  private func remove(_ reader: Int, from topic: Topic) {
    // Released after the lock, like the events that it may have.
    let removed = state.withLock { state in
      let removed = state.readers[topic]?.removeValue(forKey: reader)
      if state.readers[topic]?.isEmpty == true { state.readers[topic] = nil }
      return removed
    }
    withExtendedLifetime(removed) {}
  }
}
