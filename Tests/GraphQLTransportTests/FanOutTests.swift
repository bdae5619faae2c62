import EventLoop
import GraphQL
import HTTP
import Synchronization
import TestSupport
import Testing

@testable import GraphQLTransport

/// One event for many equal subscriptions, which receive it in slices.
@Suite("Fan-out to large groups")
struct FanOutTests {
  /// A client that records the numbers of the news that it receives, and how its subscription ends.
  final class Client: SubscriptionSink {
    private let texts = Mutex<[String]>([])
    var received: [String] { texts.withLock { $0 } }
    var isBehind: Bool { false }

    func receive(_ response: SubscriptionResponse) {
      texts.withLock { $0.append(String(decoding: response.json, as: UTF8.self).filter(\.isNumber)) }
    }

    func subscriptionDidEnd(with errors: [GraphQLError]) {
      texts.withLock { $0.append("end" + errors.map { " \($0.code.rawValue)" }.joined()) }
    }
  }

  private static let clientCount = 1000

  private static func withClients(
    count: Int = clientCount,
    _ body: @escaping @Sendable (isolated GraphQLHandler<NewsService>, [Client], [Subscription]) async throws -> Void
  ) async throws {
    try await NewsServer.run { server in
      let clients = (0..<count).map { _ in Client() }
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
      for number in 1...3 { handler.publish(number) }
      await Task.yield()
      for number in 4...6 { handler.publish(number) }
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
      let late = Client()
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
      for number in 1...3000 { handler.publish(number) }
      await handler.hub.finishPublishing(to: Topic("news"))
      for client in clients { #expect(client.received == (1...3000).map(String.init)) }
    }
  }

  @Test func `a group that cannot keep up ends`() async throws {
    try await Self.withClients(count: 100) { handler, clients, _ in
      for number in 1...11_001 { handler.publish(number) }
      for client in clients { #expect(client.received == ["end EVENTS_TOO_FAST"]) }
      #expect(handler.hub.count == 0)
      await handler.hub.finishPublishing(to: Topic("news"))
    }
  }
}

extension GraphQLHandler<NewsService> {
  fileprivate func publish(_ number: Int) {
    hub.publish(SourceEvent(NewsDesk.News(number: Int64(number), text: "")), to: Topic("news"))
  }

  fileprivate func subscribe(_ client: FanOutTests.Client) async throws -> Subscription {
    let body = Array(#"{"query":"subscription { news { number } }"}"#.utf8)
    var parser = RequestParser()
    Array("GET /graphql HTTP/1.1\r\nHost: test\r\n\r\n".utf8).withUnsafeBytes { parser.receive($0) }
    guard case .request(let handshake) = parser.next(HeaderTables()) else { throw BadRequestError("No handshake.") }
    let caller = Caller(handshake, keepsRequest: false)
    let outcome: OperationOutcome
    switch begin(try GraphQLRequest.read(json: body[...]), from: caller, into: client) {
    case .done(let done): outcome = done
    case .pending(let pending): outcome = await finish(pending)
    }
    guard case .subscription(let subscription) = outcome else { throw BadRequestError("This is not a subscription.") }
    subscription.start()
    return subscription
  }
}
