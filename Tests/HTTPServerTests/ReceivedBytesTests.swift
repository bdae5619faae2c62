import HTTP
import HTTPServer
import TestSupport
import Testing

/// The memory for incomplete requests is bounded.
@Suite("Received bytes", .timeLimit(.minutes(5)))
struct ReceivedBytesTests {
  private static let length = 60_000

  /// Sends the head of a request, and a part of its body.
  private func begin(
    _ server: TestServer,
    _ sent: Int,
    of length: Int = length,
    headers: String = ""
  ) throws -> TestSocket {
    let client = try server.connect()
    try client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: \(length)\r\n\(headers)\r\n")
    try client.send([UInt8](repeating: 0x61, count: sent))
    // The only loop has processed earlier bytes when it responds.
    let other = try server.connect()
    try other.get("/")
    _ = try other.answer()
    return client
  }

  /// Sends a whole request at once. The server receives it with a single read.
  private func post(_ server: TestServer, headers: String = "") throws -> TestSocket {
    let client = try server.connect()
    let head = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: \(Self.length)\r\n\(headers)\r\n"
    try client.send(Array(head.utf8) + [UInt8](repeating: 0x61, count: Self.length))
    return client
  }

  private func finish(_ client: TestSocket, length: Int = length, _ sent: Int) throws -> Answer {
    try client.send([UInt8](repeating: 0x61, count: length - sent))
    return try client.answer()
  }

  private func server(_ change: (inout ByteLimits) -> Void) async throws -> TestServer {
    var options = HTTPServerOptions()
    change(&options.receivedBytes)
    return try await TestServer(options: options)
  }

  @Test func `past the total a request that grows is answered 503, and those that were there go on`() async throws {
    let server = try await server { $0.total = 100_000 }
    let held = try (0..<3).map { _ in try begin(server, 30_000) }
    let rejected = try begin(server, 30_000)
    let answer = try rejected.answer()
    #expect(answer.status == 503 && answer.body.hasPrefix("TOO_MANY_BYTES: "), "\(answer)")
    #expect(answer.headers["connection"] == "close")
    #expect(answer.headers["content-type"] == "text/plain; charset=utf-8")
    #expect(answer.headers["retry-after"] == "5")
    // A small body arrives with a single read and is not charged.
    let small = try server.connect()
    try small.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi")
    #expect(try small.answer().status == 200)
    for client in held { client.close() }
    // Released by closed connections.
    let last = try begin(server, 30_000)
    #expect(try finish(last, 30_000).status == 200)
    await server.stop()
  }

  @Test func `a network has a share`() async throws {
    let server = try await server { $0.network = 70_000 }
    // A request is charged as a whole while it is processed, and there is room for the rest of one.
    let length = 33_000
    let held = try (0..<2).map { _ in try begin(server, 30_000, of: length, headers: "X-Network: 1\r\n") }
    let answer = try begin(server, 30_000, of: length, headers: "X-Network: 1\r\n").answer()
    #expect(answer.status == 429 && answer.body.hasPrefix("TOO_MANY_BYTES: "), "\(answer)")
    #expect(answer.headers["content-type"] == "text/plain; charset=utf-8")
    #expect(answer.headers["retry-after"] == "5")
    let other = try begin(server, 30_000, of: length, headers: "X-Network: 2\r\n")
    for client in held + [other] { #expect(try finish(client, length: length, 30_000).status == 200) }
    await server.stop()
  }

  @Test func `a person has a share of long bodies, counted as received and not as announced`() async throws {
    let server = try await server { $0.person = 300_000 }
    let announced = try (0..<20).map { _ in try begin(server, 0, of: 1_000_000, headers: "X-Person: 1\r\n") }
    let held = try (0..<2).map { _ in try begin(server, 140_000, of: 200_000, headers: "X-Person: 1\r\n") }
    let answer = try begin(server, 140_000, of: 200_000, headers: "X-Person: 1\r\n").answer()
    #expect(answer.status == 429 && answer.body.hasPrefix("TOO_MANY_BYTES: "), "\(answer)")
    let other = try begin(server, 140_000, of: 200_000, headers: "X-Person: 2\r\n")
    #expect(try finish(other, length: 200_000, 140_000).status == 200)
    _ = (announced, held)
    await server.stop()
  }

  /// A server whose responses to POST wait for a gate.
  private func waitingServer(
    counting started: Counter,
    until gate: Gate,
    _ change: (inout ByteLimits) -> Void
  ) async throws -> TestServer {
    var options = HTTPServerOptions()
    change(&options.receivedBytes)
    return try await TestServer(options: options) { request in
      if request.method == .post {
        started.increment()
        await gate.pass()
      }
      return text(request.targetText)
    }
  }

  @Test func `a request that waits is counted as a whole, also if it arrived in pieces`() async throws {
    let (started, gate) = (Counter(), Gate())
    let server = try await waitingServer(counting: started, until: gate) { $0.total = 100_000 }
    let rest = [UInt8](repeating: 0x61, count: Self.length - 10_000)
    let waiting = try begin(server, 10_000)
    try waiting.send(rest)
    await started.wait(for: 1)
    let rejected = try begin(server, 10_000)
    try rejected.send(rest)
    let answer = try rejected.answer()
    #expect(answer.status == 503 && answer.body.hasPrefix("TOO_MANY_BYTES: "), "\(answer)")
    gate.open()
    #expect(try waiting.answer().status == 200)
    await server.stop()
  }

  @Test func `a request that waits is charged to the network that its head names`() async throws {
    let (started, gate) = (Counter(), Gate())
    let server = try await waitingServer(counting: started, until: gate) { $0.network = 100_000 }
    let waiting = try post(server, headers: "X-Network: 1\r\n")
    await started.wait(for: 1)
    let answer = try post(server, headers: "X-Network: 1\r\n").answer()
    #expect(answer.status == 429 && answer.body.hasPrefix("TOO_MANY_BYTES: "), "\(answer)")
    let other = try post(server, headers: "X-Network: 2\r\n")
    await started.wait(for: 2)
    gate.open()
    for client in [waiting, other] { #expect(try client.answer().status == 200) }
    await server.stop()
  }

  @Test func `a request is counted as a whole while its response is streamed`() async throws {
    let server = try await server { $0.total = 150_000 }
    let whole = try post(server, headers: "X-Stream: 1\r\n")
    #expect(try whole.answer().status == 200)
    let inPieces = try begin(server, 10_000, headers: "X-Stream: 1\r\n")
    #expect(try finish(inPieces, 10_000).status == 200)
    let answer = try post(server, headers: "X-Stream: 1\r\n").answer()
    #expect(answer.status == 503 && answer.body.hasPrefix("TOO_MANY_BYTES: "), "\(answer)")
    // Released by the end of a stream.
    whole.close()
    var status = 503
    while status != 200 { status = try post(server, headers: "X-Stream: 1\r\n").answer().status }
    await server.stop()
  }

  @Test func `pipelined bytes are counted`() async throws {
    let gate = Gate()
    var options = HTTPServerOptions()
    options.receivedBytes.total = 40_000
    let server = try await TestServer(options: options) { request in
      if request.targetText == "/wait" { await gate.pass() }
      return text(request.targetText)
    }
    let client = try server.connect()
    try client.get("/wait")
    try client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: \(Self.length)\r\n\r\n")
    try client.send([UInt8](repeating: 0x61, count: 50_000))
    let answer = try client.answer()
    #expect(answer.status == 503 && answer.body.hasPrefix("TOO_MANY_BYTES: "), "\(answer)")
    gate.open()
    await server.stop()
  }

  @Test func `a long body that is not admitted is rejected, and the client can read why`() async throws {
    var options = HTTPServerOptions()
    options.limits.bodyBytes = 16 << 20
    let server = try await TestServer(options: options)
    let length = 8 << 20
    for framing in ["Content-Length: \(length)", "Transfer-Encoding: chunked"] {
      let client = try server.connect()
      try client.send("POST / HTTP/1.1\r\nHost: a\r\n\(framing)\r\n\r\n")
      if framing.hasPrefix("T") { try client.send("\(String(length, radix: 16))\r\n") }
      // Everything is sent before anything is read, as many clients do.
      for _ in 0..<128 { try client.send([UInt8](repeating: 0x61, count: length / 128)) }
      let answer = try client.answer()
      #expect(answer.status == 413 && answer.body == "NOT_ADMITTED")
      #expect(answer.headers["connection"] == "close")
    }
    await server.stop()
  }
}
