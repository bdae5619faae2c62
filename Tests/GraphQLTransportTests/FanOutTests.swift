import EventLoop
import GraphQL
import TestSupport
import Testing

@testable import GraphQLTransport

/// One event for many equal subscriptions, which receive it in slices.
@Suite("Fan-out to large groups")
struct FanOutTests {
  private static let clientCount = 1000

  private static func withClients(
    count: Int = clientCount,
    _ body:
      @escaping @Sendable (isolated GraphQLHandler<NewsService>, [RecordingSink], [Subscription]) async throws -> Void
  ) async throws {
    try await NewsServer.run { server in
      let clients = (0..<count).map { _ in RecordingSink() }
      // Between two turns of the task, the hub has one.
      try await Task(executorPreference: server.handler.loop) {
        var subscriptions: [Subscription] = []
        for client in clients { subscriptions.append(try await server.handler.subscribe(client)) }
        try await body(server.handler, clients, subscriptions)
      }.value
    }
  }

  @Test func `other work of the loop runs while an event is delivered`() async throws {
    try await Self.withClients { handler, clients, _ in
      handler.publish(1)
      var counts: [Int] = []
      while counts.last != clients.count {
        await handler.loop.waitForNextTurn()
        counts.append(clients.count { $0.received == ["1"] })
      }
      #expect(Set(counts).count > 3)
    }
  }

  @Test(arguments: [1, 64, 65, 128, 1000])
  func `every client receives the events in order, and then the end`(count: Int) async throws {
    try await Self.withClients(count: count) { handler, clients, _ in
      for number in 1...3 { handler.publish(Int64(number)) }
      await Task.yield()
      for number in 4...6 { handler.publish(Int64(number)) }
      handler.hub.end(Topic("news"))
      for client in clients { #expect(client.received == ["1", "2", "3", "4", "5", "6", "end"]) }
    }
  }

  @Test func `publishing has finished when every client has received the event`() async throws {
    try await Self.withClients { handler, clients, _ in
      handler.publish(1)
      #expect(clients.contains { $0.received.isEmpty })
      await handler.hub.finishPublishing(to: Topic("news"))
      for client in clients { #expect(client.received == ["1"]) }
    }
  }

  @Test func `a client that joins or leaves during a delivery receives its own events only`() async throws {
    try await Self.withClients { handler, clients, subscriptions in
      handler.publish(1)
      while clients[0].received.isEmpty { await handler.loop.waitForNextTurn() }
      let late = RecordingSink()
      _ = try await handler.subscribe(late)
      handler.publish(2)
      // Neither the first client, which has received the first event, nor the last one is there for the second.
      #expect(clients[0].received == ["1"] && clients[clients.count - 1].received == [])
      subscriptions[0].cancel()
      subscriptions[clients.count - 1].cancel()
      await handler.hub.finishPublishing(to: Topic("news"))
      #expect(late.received == ["2"])
      #expect(clients[0].received == ["1"] && clients[clients.count - 1].received == [])
      for client in clients.dropFirst().dropLast() { #expect(client.received == ["1", "2"]) }
    }
  }

  @Test(arguments: [1, 100])
  func `a burst of events is delivered whole`(count: Int) async throws {
    try await Self.withClients(count: count) { handler, clients, _ in
      for number in 1...3000 { handler.publish(Int64(number)) }
      await handler.hub.finishPublishing(to: Topic("news"))
      for client in clients { #expect(client.received == (1...3000).map(String.init)) }
    }
  }

  @Test func `a group that cannot keep up ends`() async throws {
    try await Self.withClients(count: 100) { handler, clients, _ in
      for number in 1...11_001 { handler.publish(Int64(number)) }
      for client in clients { #expect(client.received == ["end EVENTS_TOO_FAST"]) }
      #expect(handler.hub.count == 0)
      await handler.hub.finishPublishing(to: Topic("news"))
    }
  }
}
