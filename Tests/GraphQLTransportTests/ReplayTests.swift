import Basics
import EventLoop
import GraphQL
import HTTPServer
import Synchronization
import TestSupport
import Testing

@testable import GraphQLTransport

/// Subscriptions that resume read their backlogs in turns.
@Suite("Replays take turns")
struct ReplayTests {
  private static let newsCount: Int64 = 60

  /// Runs `body` on the loop of a server that has kept news with the numbers from 1 on.
  private static func withNews(
    _ count: Int64 = newsCount,
    _ body: @escaping @Sendable (isolated GraphQLHandler<NewsService>, NewsDesk) async throws -> Void
  ) async throws {
    try await NewsServer.run { server in
      for number in 0..<count { server.desk.keep(NewsDesk.News(number: number + 1, text: "")) }
      // Between two turns of the task, the hub has its own.
      try await Task(executorPreference: server.handler.loop) { try await body(server.handler, server.desk) }.value
    }
  }

  private static func texts(_ numbers: ClosedRange<Int64>) -> [String] { numbers.map(String.init) }

  @Test func `other work of the loop runs during a replay`() async throws {
    try await Self.withNews { handler, _ in
      let sink = RecordingSink()
      _ = try await handler.subscribe(sink, after: 0)
      var counts: [Int] = []
      while counts.last != Int(Self.newsCount) {
        await handler.loop.waitForNextTurn()
        counts.append(sink.received.count)
      }
      #expect(Set(counts).count > 10)
      #expect(sink.received == Self.texts(1...Self.newsCount))
    }
  }

  @Test(arguments: ["ada", "far-ada"])
  func `a caller with many replays delays those of others as if it had one`(token: String) async throws {
    try await Self.withNews { handler, _ in
      let adas = (0..<50).map { _ in RecordingSink() }
      for ada in adas { _ = try await handler.subscribe(ada, token: token, after: 0) }
      let before = adas.reduce(0) { $0 + $1.received.count }
      let bob = RecordingSink()
      _ = try await handler.subscribe(bob, token: "bob", after: 0)
      while bob.received.count < Self.newsCount { await handler.loop.waitForNextTurn() }
      #expect(bob.received == Self.texts(1...Self.newsCount))
      #expect(adas.reduce(0) { $0 + $1.received.count } - before < 2 * Int(Self.newsCount))
      while adas.contains(where: { $0.received.count < Self.newsCount }) { await handler.loop.waitForNextTurn() }
      for ada in adas { #expect(ada.received == Self.texts(1...Self.newsCount)) }
    }
  }

  @Test func `an event does not wait until replays have ended`() async throws {
    try await Self.withNews { handler, desk in
      let bob = RecordingSink()
      _ = try await handler.subscribe(bob, token: "bob")
      let guests = (0..<50).map { _ in RecordingSink() }
      for (index, guest) in guests.enumerated() {
        _ = try await handler.subscribe(guest, token: "guest\(index)", after: 0)
      }
      let before = guests.reduce(0) { $0 + $1.received.count }
      for number in Self.newsCount + 1...Self.newsCount + 5 { handler.publishKept(number, on: desk) }
      while bob.received.count < 5 { await handler.loop.waitForNextTurn() }
      #expect(guests.reduce(0) { $0 + $1.received.count } - before < 50)
      await Self.wait(for: guests, toReceive: 1...Self.newsCount + 5, on: handler)
    }
  }

  @Test func `the subscriptions of a caller read one piece after another`() async throws {
    let log = Mutex<[(sink: Int, number: Int)]>([])
    try await Self.withNews { handler, _ in
      let sinks = (0..<5).map { index in
        RecordingSink { number in log.withLock { $0.append((index, Int(number) ?? 0)) } }
      }
      for sink in sinks { _ = try await handler.subscribe(sink, after: 0) }
      await Self.wait(for: sinks, toReceive: 1...Self.newsCount, on: handler)
    }
    let steps = log.withLock { $0 }
    // A piece has three events.
    for first in stride(from: 0, to: steps.count, by: 3) {
      let piece = steps[first..<first + 3]
      #expect(Set(piece.map(\.sink)).count == 1)
      #expect(piece.map(\.number) == [0, 1, 2].map { piece[first].number + $0 })
    }
    #expect(zip(steps, steps.dropFirst()).count { $0.sink != $1.sink } > 50)
  }

  @Test func `a hundred callers have a piece in memory at most`() async throws {
    try await Self.withNews(6) { handler, desk in
      let (gate, begun) = (Gate(), Counter())
      desk.whenReadingFar {
        begun.increment()
        await gate.pass()
      }
      let sinks = (0..<150).map { _ in RecordingSink() }
      for (index, sink) in sinks.enumerated() {
        // One of each caller's two begins.
        for after: Int64 in [0, 6] {
          let sink = after == 0 ? sink : RecordingSink()
          _ = try await handler.subscribe(sink, token: "far-guest\(index)", after: after)
        }
      }
      while begun.count < 100 { await handler.loop.waitForNextTurn() }
      for _ in 0..<20 { await handler.loop.waitForNextTurn() }
      #expect(begun.count == 100)
      gate.open()
      await Self.wait(for: sinks, toReceive: 1...6, on: handler)
    }
  }

  @Test func `a client that leaves during its replay receives nothing more, and the others everything`() async throws {
    try await Self.withNews { handler, _ in
      let sinks = (0..<3).map { _ in RecordingSink() }
      var subscriptions: [Subscription] = []
      for sink in sinks { subscriptions.append(try await handler.subscribe(sink, after: 0)) }
      while sinks[1].received.isEmpty { await handler.loop.waitForNextTurn() }
      let received = sinks[1].received
      subscriptions[1].cancel()
      #expect(handler.hub.count == 2)
      await Self.wait(for: [sinks[0], sinks[2]], toReceive: 1...Self.newsCount, on: handler)
      #expect(sinks[1].received == received && received.count < Self.newsCount)
    }
  }

  @Test func `clients that leave while they wait for their turn are forgotten`() async throws {
    try await Self.withNews { handler, desk in
      let (gate, held) = (Gate(), Counter())
      desk.whenReadingFar {
        held.increment()
        await gate.pass()
      }
      let first = RecordingSink()
      _ = try await handler.subscribe(first, token: "far-ada", after: 0)
      while held.count == 0 { await handler.loop.waitForNextTurn() }
      var sinks: [WeakSink] = []
      for _ in 0..<1000 {
        let sink = RecordingSink()
        try await handler.subscribe(sink, token: "far-ada", after: 0).cancel()
        sinks.append(WeakSink(sink: sink))
      }
      #expect(sinks.count { $0.sink != nil } < 150)
      gate.open()
      await Self.wait(for: [first], toReceive: 1...Self.newsCount, on: handler)
    }
  }

  @Test func `a caller whose subscriptions have all ended before they read may read again`() async throws {
    try await Self.withNews { handler, _ in
      let (gate, held) = (Gate(), Counter())
      handler.hub.topicWillBeRead = { _ in
        held.increment()
        await gate.pass()
      }
      // One more than the subscriptions that are kept until their turn although they have ended.
      for _ in 0..<65 { try await handler.subscribe(RecordingSink(), after: 0).cancel() }
      while held.count < 65 { await handler.loop.waitForNextTurn() }
      gate.open()
      for _ in 0..<20 { await handler.loop.waitForNextTurn() }
      handler.hub.topicWillBeRead = nil
      let (ada, bob) = (RecordingSink(), RecordingSink())
      _ = try await handler.subscribe(ada, after: 0)
      _ = try await handler.subscribe(bob, token: "bob", after: 0)
      for _ in 0..<2_000 where bob.received.count < Self.newsCount || ada.received.count < Self.newsCount {
        await handler.loop.waitForNextTurn()
      }
      #expect(bob.received == Self.texts(1...Self.newsCount))
      #expect(ada.received == Self.texts(1...Self.newsCount))
    }
  }

  private struct WeakSink: Sendable {
    weak let sink: RecordingSink?
  }

  @Test func `a client that resumes after a shutdown during its replay receives each event once`() async throws {
    var options = NewsServer.quiet
    options.liveUnsentBytes = 64 << 10
    // More than the kernel buffers.
    let count: Int64 = 400
    let text = String(repeating: "x", count: 50_000)
    var received: [Int64] = []
    for attempt in 1...2 {
      try await NewsServer.run(options: options) { server in
        for number in 1...count { server.desk.keep(NewsDesk.News(number: number, text: text)) }
        let port = server.port
        let slow = try await TestThread { try TestWebSocket(port: port, receiveBuffer: 4096) }.value
        let socket = LiveSocket(socket: slow)
        try await socket.initialize("ada")
        let resume = #","extensions":{"position":"\#(received.last ?? 0)"}"#
        try await socket.subscribe("a", "subscription { kept { number text } }", resume)
        for _ in 0..<10 { received.append(try #require(Self.number(in: try await socket.receive()))) }
        guard attempt == 1 else {
          while received.last != count { received.append(try #require(Self.number(in: try await socket.receive()))) }
          return
        }
        async let shutdown: Void = server.shutdown(deadline: .seconds(60))
        var frame = try await socket.receive()
        while let number = Self.number(in: frame) {
          received.append(number)
          frame = try await socket.receive()
        }
        guard case .close(1001, _) = frame else { throw Listening(ended: frame) }
        slow.socket.reset()
        await shutdown
        #expect(received.count < count)
      }
    }
    #expect(received == Array(1...count))
  }

  private struct Listening: Error { let ended: TestWebSocket.Frame }

  private static func number(in frame: TestWebSocket.Frame) -> Int64? {
    guard case .text(let text) = frame else { return nil }
    return text.firstMatch(of: /"number":(\d+)/).flatMap { Int64($0.output.1) }
  }

  @Test func `a burst ends the clients that would miss events, and not those that will read them`() async throws {
    try await Self.withNews { handler, desk in
      let (live, resuming) = (RecordingSink(), RecordingSink())
      _ = try await handler.subscribe(live, token: "bob")
      _ = try await handler.subscribe(resuming, after: 0)
      let last = Self.newsCount + 11_001
      for number in Self.newsCount + 1...last { handler.publishKept(number, on: desk) }
      #expect(live.received == ["end EVENTS_TOO_FAST"])
      await Self.wait(for: [resuming], toReceive: 1...last, on: handler)
      // Events that are not kept are in no backlog.
      let second = RecordingSink()
      _ = try await handler.subscribe(second, after: 0)
      for _ in 0..<11_001 { handler.publish(0) }
      #expect(resuming.received.last == "end EVENTS_TOO_FAST")
      #expect(second.received.last == "end EVENTS_TOO_FAST")
      #expect(handler.hub.count == 0)
    }
  }

  /// Clients join, leave, fall behind and resume at any time, while events are published.
  @Test(arguments: 0..<4)
  func `no event is lost, repeated or reordered`(seed: Int) async throws {
    try await Self.withNews(30) { handler, desk in
      var random = SeededGenerator(seed: UInt64(seed))
      var clients: [Resuming] = []
      var last: Int64 = 30
      for _ in 0..<400 {
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<2 where clients.count < 40:
          let token = ["ada", "bob", "far-ada", "far-bob", "guest1"].randomElement(using: &random) ?? ""
          let start = Int64.random(in: 0...last, using: &random)
          let client = Resuming(token: token, start: start)
          client.subscription = try await handler.subscribe(client.sink, token: token, after: start)
          clients.append(client)
        case 2..<5:
          last += 1
          handler.publishKept(last, on: desk)
        case 5: await handler.loop.waitForNextTurn()
        case 6: clients.randomElement(using: &random)?.sink.setBehind(true)
        case 7:
          guard let client = clients.randomElement(using: &random) else { continue }
          client.sink.setBehind(false)
          client.subscription?.resume()
        case 8:
          // The connection is lost, and the client resumes after what it has received.
          guard let client = clients.randomElement(using: &random) else { continue }
          client.subscription?.cancel()
          let position = client.received.last.flatMap { Int64($0) } ?? client.start
          client.collect()
          client.subscription = try await handler.subscribe(client.sink, token: client.token, after: position)
        default: await Task.yield()
        }
      }
      for client in clients {
        client.sink.setBehind(false)
        client.subscription?.resume()
      }
      #expect(clients.count > 10)
      for client in clients {
        while client.received.last != String(last) && client.start < last { await handler.loop.waitForNextTurn() }
        #expect(client.received == (client.start..<last).map { String($0 + 1) })
      }
    }
  }

  /// A client that resumes after its connection was lost. Confined to the loop of a test.
  private final class Resuming {
    let token: String
    let start: Int64
    private(set) var sink = RecordingSink()
    private var earlier: [String] = []
    var subscription: Subscription?
    var received: [String] { earlier + sink.received }

    init(token: String, start: Int64) {
      self.token = token
      self.start = start
    }

    /// Keeps what was received before a new connection.
    func collect() {
      earlier += sink.received
      sink = RecordingSink()
    }
  }

  private static func wait(
    for sinks: [RecordingSink],
    toReceive numbers: ClosedRange<Int64>,
    on handler: isolated GraphQLHandler<NewsService>
  ) async {
    for sink in sinks {
      while sink.received.count < numbers.count { await handler.loop.waitForNextTurn() }
      #expect(sink.received == texts(numbers))
    }
  }
}
