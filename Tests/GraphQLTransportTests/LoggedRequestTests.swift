import Glibc
import TestSupport
import Testing

@testable import GraphQLTransport

/// Which requests have a line in the request log.
@Suite("Logged requests")
struct LoggedRequestTests {
  /// The lines that a server logs while `body` runs.
  /// - Parameter interval: One of this number of requests is logged.
  private func lines(
    interval: Int = 1,
    batchSize: Int = 1,
    _ body: (NewsServer) async throws -> Void
  ) async throws -> [Substring] {
    var options = RequestLog.Options()
    options.interval = interval
    let log = RequestLog(options)
    try await NewsServer.run(batchSize: batchSize, log: log, body)
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    let (output, input) = (ends[0], ends[1])
    defer {
      close(output)
      close(input)
    }
    try log.start(writingTo: input)
    try await TestThread { log.stop() }.value
    // The newline at the end lets the read return if there are no lines.
    try #require(write(input, "\n", 1) == 1)
    // The pipe has room for 64 KB.
    var bytes = [UInt8](repeating: 0, count: 64 << 10)
    let count = read(output, &bytes, bytes.count)
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self).split(separator: "\n")
  }

  private func post(_ server: NewsServer, _ body: String, to path: String = "/graphql", _ headers: String = "")
    async throws -> String
  {
    let stream = try await EventStreamTests.Stream(
      server.port,
      "POST \(path) HTTP/1.1\r\nHost: test\r\nContent-Type: application/json\r\nConnection: close\r\n"
        + "\(headers)Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
    )
    return String(decoding: try await stream.end(), as: UTF8.self)
  }

  @Test func `the line of an event stream has the id of the client's trace`() async throws {
    let trace = "0af7651916cd43dd8448eb211c80319c"
    let lines = try await lines { server in
      let stream = try await EventStreamTests.Stream.post(
        server.port,
        "{ hello }",
        "traceparent: 00-\(trace)-b7ad6b7169203331-01\r\nConnection: close\r\n"
      )
      let response = String(decoding: try await stream.end(), as: UTF8.self)
      #expect(response.contains("Hello, you!"))
    }
    #expect(lines.count == 1 && lines.first?.hasSuffix(" trace \(trace)") == true, "\(lines)")
  }

  @Test func `validations do not count as requests of which some are logged`() async throws {
    let lines = try await lines(interval: 2) { server in
      for name in ["First", "Second"] {
        let body = #"{"query":"query \#(name) { hello me }"}"#
        let validation = try await post(server, body, to: "/graphql/validate")
        let response = try await post(server, body)
        #expect(validation.contains(" 200 OK") && response.contains("Hello, you!"))
      }
    }
    #expect(lines.count == 1 && lines.first?.contains(" query First OK ") == true, "\(lines)")
  }

  @Test func `an operation that is stopped before it is executed is logged as cancelled`() async throws {
    let lines = try await lines { server in
      let socket = try await server.connect("ada").socket
      // The loop reads both messages at once, and runs the task of the mutation afterwards.
      let messages = [
        #"{"id":"a","type":"subscribe","payload":{"query":"mutation { say(text: \"hi\") }"}}"#,
        #"{"id":"a","type":"complete"}"#,
      ]
      let frames = messages.flatMap { TestWebSocket.frame(0x1, Array($0.utf8)) }
      try await TestThread { try socket.socket.send(frames) }.value
      try await waitUntil("The operation has ended.") {
        await server.metrics().contains(#"graphql_request_duration_seconds_count{outcome="rejected"} 1"#)
      }
    }
    #expect(lines.count == 1 && lines.first?.contains(" mutation – REQUEST_CANCELLED ") == true, "\(lines)")
  }

  @Test func `malformed requests are logged`() async throws {
    let lines = try await lines(batchSize: 2) { server in
      let get = try await EventStreamTests.Stream(
        server.port,
        "GET /graphql?query=%zz HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n"
      )
      let response = String(decoding: try await get.end(), as: UTF8.self)
      #expect(response.contains("BAD_REQUEST"))
      let request = #"{"query":"{ hello }"}"#
      for (body, headers) in [
        ("[]", ""), ("[\(request),\(request),\(request)]", ""), ("[\(request)]", "Idempotency-Key: \"abc\"\r\n"),
      ] {
        let rejection = try await post(server, body, headers)
        #expect(rejection.contains("BAD_REQUEST"))
      }
    }
    #expect(lines.count == 4 && lines.allSatisfy { $0.contains(" BAD_REQUEST ") }, "\(lines)")
  }
}
