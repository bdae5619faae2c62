import Foundation
import HTTP
import HTTPServer
import TestSupport
import Testing

@Suite("Replay to a client that reads slowly", .timeLimit(.minutes(5)))
struct SlowReplayTests {
  /// The maximum number of bytes that the system buffers for a connection that sends.
  private static func sendBuffer() throws -> Int {
    let limits = try String(contentsOfFile: "/proc/sys/net/ipv4/tcp_wmem", encoding: .utf8)
    return try #require(limits.split(whereSeparator: \.isWhitespace).last.flatMap { Int($0) })
  }

  /// Serves events, of which three times as many are kept as fit in what the server and the system buffer, to a client
  /// that has subscribed to `field` and reads nothing until the replay waits for it.
  ///
  /// - Parameter slack: The events that fit in the buffers, and some that are being executed.
  private static func run(
    _ field: String,
    after position: (_ count: Int) -> Int,
    _ body: (NewsServer, _ client: LiveSocket, _ text: String, _ count: Int, _ slack: Int) async throws -> Void
  ) async throws {
    var options = NewsServer.quiet
    options.liveUnsentBytes = 64 << 10
    options.timeouts.write = .seconds(3600)
    try await NewsServer.run(options: options) { server in
      let sendBuffer = try Self.sendBuffer()
      let text = String(repeating: "x", count: max(50_000, sendBuffer / 64))
      let slack = (sendBuffer + (64 << 10) + (128 << 10)) / text.utf8.count + 4
      let count = 3 * slack
      for number in 1...count { server.desk.keep(NewsDesk.News(number: Int64(number), text: text)) }
      let port = server.port
      let slow = LiveSocket(socket: try await TestThread { try TestWebSocket(port: port, receiveBuffer: 4096) }.value)
      try await slow.initialize()
      let resume = #","extensions":{"position":"\#(position(count))"}"#
      try await slow.subscribe("a", "subscription { \(field) { number text } }", resume)
      try await waitUntil("The replay waits for its client.") {
        let isWorking = await server.hubIsWorking()
        return !isWorking && server.desk.executions > 0
      }
      try await body(server, slow, text, count, slack)
    }
  }

  @Test func `replay is no faster than its client reads it`() async throws {
    try await Self.run("kept", after: { _ in 0 }) { server, slow, text, count, slack in
      for number in 1...count {
        let data = #"{"kept":{"number":\#(number),"text":"\#(text)"}}"#
        let payload = #"{"data":\#(data),"extensions":{"position":"\#(number)"}}"#
        try #require(try await slow.receive() == next("a", payload))
        // Whatever this thread and the server's have done since.
        #expect(server.desk.executions <= number + slack)
      }
    }
  }

  /// They have no position in the response, and are one piece, which the client interrupts.
  @Test func `events that the client may have received come once each, then new ones`() async throws {
    try await Self.run("unread", after: { count in count }) { server, slow, text, count, _ in
      for number in 1...count {
        let data = #"{"unread":{"number":\#(number),"text":"\#(text)"}}"#
        try #require(try await slow.receive() == next("a", #"{"data":\#(data),"extensions":{"replayed":true}}"#))
      }
      let new = count + 1
      await server.publish(Int64(new), "new", isKept: true)
      let data = #"{"unread":{"number":\#(new),"text":"new"}}"#
      #expect(try await slow.receive() == next("a", #"{"data":\#(data),"extensions":{"position":"\#(new)"}}"#))
    }
  }
}
