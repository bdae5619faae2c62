import GraphQLEngine
import TestSupport
import Testing

@Suite("Topics of events")
struct GraphQLTopicsTests {
  @Test(.timeLimit(.minutes(1))) func `have the events that are published while a sequence exists`() async {
    let topics = GraphQLTopics<String, Int>()
    topics.publish(1, to: "a")
    let (first, second, other) = (topics.events(of: "a"), topics.events(of: "a"), topics.events(of: "b"))
    for number in 2...4 { topics.publish(number, to: "a") }
    topics.publish(5, to: "b")
    for sequence in [first, second] {
      var events: [Int] = []
      for await event in sequence {
        events.append(event)
        if events.count == 3 { break }
      }
      #expect(events == [2, 3, 4])
    }
    for await event in other {
      #expect(event == 5)
      break
    }
  }

  @Test(.timeLimit(.minutes(1))) func `end with the object, and lose the oldest events of a slow reader`() async {
    var topics: GraphQLTopics<Int, Int>? = GraphQLTopics()
    let events = topics?.events(of: 1, buffering: 2)
    for number in 1...5 { topics?.publish(number, to: 1) }
    topics = nil
    var received: [Int] = []
    if let events { for await event in events { received.append(event) } }
    #expect(received == [4, 5])
  }

  /// Calls a closure when it is released.
  private final class Note: Sendable {
    private let released: @Sendable () -> Void
    init(_ released: @escaping @Sendable () -> Void) { self.released = released }
    deinit { released() }
  }

  @Test(.timeLimit(.minutes(1))) func `can be used by what an event releases`() async {
    let (notes, released) = (GraphQLTopics<Int, Note>(), Counter())
    let events = notes.events(of: 1, buffering: 1)
    // The first two are dropped while the next one is published.
    for _ in 1...3 {
      let note = Note { [weak notes] in
        released.increment()
        notes?.publish(Note {}, to: 2)
      }
      notes.publish(note, to: 1)
    }
    #expect(released.count == 2)
    withExtendedLifetime(events) {}
  }

  @Test(.timeLimit(.minutes(1))) func `are the events of a subscription`() async throws {
    let topics = GraphQLTopics<Int, String>()
    var schema = GraphQLSchema<Void>("type Query { a: Int } type Subscription { added(to: Int!): String }")
    schema.query("a") { _ in 1 }
    schema.subscription("added") { request in
      let events = topics.events(of: try request.arguments["to"])
      topics.publish("one", to: 5)
      return events
    }
    let executor = try GraphQLExecutor(schema)
    var received: [String] = []
    for await response in executor.responses(to: "subscription { added(to: 5) }", context: ()) {
      received.append(response)
      break
    }
    #expect(received == [#"{"data":{"added":"one"}}"#])
  }
}
