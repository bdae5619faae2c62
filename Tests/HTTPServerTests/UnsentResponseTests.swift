import HTTP
import HTTPServer
import TestSupport
import Testing

/// The memory for responses that clients do not read is bounded.
@Suite("Unsent responses", .timeLimit(.minutes(5)))
struct UnsentResponseTests {
  /// More than the kernel buffers.
  private static let length = 12_000_000

  private func server(_ change: (inout ByteLimits) -> Void) async throws -> TestServer {
    var options = HTTPServerOptions()
    change(&options.unsentResponses)
    return try await TestServer(options: options) { request in
      text(String(repeating: "x", count: request.targetText == "/long" ? Self.length : 2))
    }
  }

  /// A client that requested a long response and has read only its status line.
  private func slowReader(_ server: TestServer, _ headers: String = "") throws -> (TestSocket, status: String) {
    let client = try server.connect(receiveBuffer: 4096)
    try client.get("/long", headers)
    return (client, String(decoding: try client.receive(12), as: UTF8.self))
  }

  @Test func `past the total a long response is 503, and a short one is sent`() async throws {
    let server = try await server { $0.total = 2 * Self.length }
    let held = try (0..<2).map { _ in try slowReader(server) }
    #expect(held.allSatisfy { $0.status == "HTTP/1.1 200" })
    let client = try server.connect()
    try client.get("/long")
    let rejected = try client.answer()
    #expect(rejected.status == 503 && rejected.body.hasPrefix("TOO_MANY_RESPONSES: "), "\(rejected.status)")
    #expect(rejected.headers["connection"] == "close")
    let other = try server.connect()
    try other.get("/")
    #expect(try other.answer().body == "xx")
    // Released by a client that reads, and by one that disconnects.
    #expect(try held[0].0.receive(Self.length).count == Self.length)
    held[1].0.close()
    for _ in 0..<2 {
      var status = 503
      while status != 200 {
        let next = try server.connect()
        try next.get("/long")
        status = try next.answer().status
      }
    }
    await server.stop()
  }

  @Test func `a response that is not complete yet counts, also after its client has left`() async throws {
    var options = HTTPServerOptions()
    options.unsentResponses.total = 2 * Self.length
    let (started, ended) = (Counter(), Counter())
    let server = try await TestServer(options: options) { request in
      guard request["x-holding"] != nil else { return text(String(repeating: "x", count: Self.length)) }
      started.increment()
      await ended.wait(for: 1)
      return text("xx")
    }
    let waiting = try (0..<2).map { _ in try server.connect() }
    for client in waiting { try client.get("/", "X-Holding: \(Self.length)\r\n") }
    await started.wait(for: 2)
    waiting[0].close()
    let rejected = try server.connect()
    try rejected.get("/")
    #expect(try rejected.answer().status == 503)
    ended.increment()
    #expect(try waiting[1].answer().body == "xx")
    // What was sent in fact is less than what was held.
    var status = 503
    while status != 200 {
      let next = try server.connect()
      try next.get("/")
      status = try next.answer().status
    }
    await server.stop()
  }

  @Test func `a network has a share`() async throws {
    let server = try await server { $0.network = 2 * Self.length }
    let held = try (0..<2).map { _ in try slowReader(server, "X-Network: 1\r\n") }
    let client = try server.connect()
    try client.get("/long", "X-Network: 1\r\n")
    let rejected = try client.answer()
    #expect(rejected.status == 429 && rejected.body.hasPrefix("TOO_MANY_RESPONSES: "), "\(rejected.status)")
    #expect(try slowReader(server, "X-Network: 2\r\n").status == "HTTP/1.1 200")
    _ = held
    await server.stop()
  }
}
