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

  @Test func `replay is no faster than its client reads it`() async throws {
    var options = NewsServer.quiet
    options.liveUnsentBytes = 64 << 10
    // The client reads nothing until the replay waits for it.
    options.timeouts.write = .seconds(3600)
    try await NewsServer.run(options: options) { server in
      let sendBuffer = try Self.sendBuffer()
      let text = String(repeating: "x", count: max(50_000, sendBuffer / 64))
      // The events that fit in the system's buffers and in the server's, and some that are being executed.
      let slack = (sendBuffer + (64 << 10) + (128 << 10)) / text.utf8.count + 4
      let count = 3 * slack
      for number in 1...count { server.desk.keep(NewsDesk.News(number: Int64(number), text: text)) }
      let port = server.port
      let slow = LiveSocket(socket: try await TestThread { try TestWebSocket(port: port, receiveBuffer: 4096) }.value)
      try await slow.initialize()
      try await slow.subscribe("a", "subscription { kept { text } }", #","extensions":{"position":"0"}"#)
      try await waitUntil("The replay waits for its client.") {
        let isWorking = await server.hubIsWorking()
        return !isWorking && server.desk.executions > 0
      }
      for number in 1...count {
        let payload = #"{"data":{"kept":{"text":"\#(text)"}},"extensions":{"position":"\#(number)"}}"#
        try #require(try await slow.receive() == next("a", payload))
        // Whatever this thread and the server's have done since.
        #expect(server.desk.executions <= number + slack)
      }
    }
  }
}
