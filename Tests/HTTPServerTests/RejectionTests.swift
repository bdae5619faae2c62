import Bytes
import EventLoop
import HTTP
import HTTPServer
import TestSupport
import Testing

@Suite("Rejecting", .timeLimit(.minutes(20)))
struct RejectionTests {
  static let rejected: [(request: String, status: Int)] = [
    ("nonsense\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\n\r\n", 400),
    ("GET / HTTP/2.0\r\nHost: a\r\n\r\n", 505),
    ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nContent-Length: 3\r\n\r\nabc", 400),
    ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400),
    ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n", 400),
    ("GET / HTTP/1.1\nHost: a\n\n", 400),
    ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2000000\r\n\r\n", 413),
  ]

  @Test(arguments: rejected)
  func `malformed requests are rejected, and later bytes are not parsed as requests`(
    request: String,
    status: Int
  ) async throws {
    let asked = Counter()
    let server = try await TestServer { request in
      asked.increment()
      return text(request.targetText)
    }
    let client = try server.connect()
    try client.send(request + "GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n")
    let answer = try client.answer()
    #expect(answer.status == status)
    #expect(answer.headers["connection"] == "close")
    #expect(try client.receiveAll().isEmpty)
    #expect(asked.count == 0)
    await server.stop()
  }

  @Test(arguments: ["GET /", "GET / HTTP/1.1\r\nHost: a\r\nX: "])
  func `an endless head is rejected, and the client can read the reason while it is sending`(
    start: String
  ) async throws {
    let server = try await TestServer()
    let client = try server.connect()
    try client.send(start)
    try client.send([UInt8](repeating: 0x61, count: 64 * 1024))
    #expect(try [414, 431].contains(client.answer().status))
    // Sending to a closed connection causes a reset, which would make one of the next calls fail.
    for _ in 0..<8 { try client.send([UInt8](repeating: 0x61, count: 64 * 1024)) }
    client.sendEnd()
    #expect(try client.receiveAll().isEmpty)
    await server.stop()
  }

  @Test func `a client that sends all of a body that is too long before it reads gets 413`() async throws {
    let server = try await TestServer()
    // Over a connection that has been used, as clients keep them.
    let client = try server.connect()
    try client.get("/")
    #expect(try client.answer().status == 200)
    // More than the buffers of the kernel hold, so that the rest arrives after the response was written.
    let length = 64 << 20
    try client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: \(length)\r\n\r\n")
    let piece = [UInt8](repeating: 0x20, count: 1 << 20)
    for _ in 0..<(length >> 20) { try client.send(piece) }
    let answer = try client.answer()
    #expect(answer.status == 413)
    #expect(answer.headers["connection"] == "close")
    #expect(try client.receiveAll().isEmpty)
    await server.stop()
  }

  @Test func `a client that sends without end is disconnected`() async throws {
    var options = HTTPServerOptions()
    options.lingerBytes = 1 << 20
    let server = try await TestServer(options: options)
    let client = try server.connect()
    try client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 999999999999\r\n\r\n")
    #expect(try client.answer().status == 413)
    let piece = [UInt8](repeating: 0x20, count: 1 << 20)
    #expect(throws: TestSocket.Failure.self) {
      // The buffers of the kernel hold a few megabytes that the server does not read any more.
      for _ in 0..<64 { try client.send(piece) }
    }
    await server.stop()
  }

  @Test func `half requests and resets do not disturb other clients`() async throws {
    let server = try await TestServer(loops: 2)
    let steady = try server.connect()
    for number in 0..<300 {
      let rude = try server.connect()
      try rude.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello".prefix(number % 60).description)
      if number % 2 == 0 { rude.reset() } else { rude.close() }
      try steady.get("/\(number)")
      #expect(try steady.answer().body == "/\(number)")
    }
    await server.stop()
  }

  @Test func `more connections than the server may have are answered 503`() async throws {
    var options = HTTPServerOptions()
    options.maximumConnections = 2
    let server = try await TestServer(loops: 2, options: options)
    let first = try server.connect()
    let second = try server.connect()
    for client in [first, second] {
      // A response that does not end, because idle connections make room.
      try client.get("/", "X-Stream: 1\r\n")
      #expect(try client.answer().status == 200)
    }
    let third = try server.connect()
    #expect(try third.answer().status == 503)
    #expect(try third.receiveAll().isEmpty)
    await server.stop()
  }

  @Test func `with almost as many connections as it may have, the server closes the longest idle one for a new one`()
    async throws
  {
    var options = HTTPServerOptions()
    options.maximumConnections = 4
    let server = try await TestServer(options: options)
    var clients: [TestSocket] = []
    for number in 0..<10 {
      let client = try server.connect()
      try client.get("/\(number)")
      #expect(try client.answer().body == "/\(number)")
      clients.append(client)
      // The loop's time is in milliseconds, and each client's must differ.
      let loop = server.group.loops[0]
      let answered = try await loop.run { loop.now }
      while try await loop.run({ loop.now }) == answered {}
    }
    for client in clients.dropLast(3) { #expect(try client.receiveAll().isEmpty) }
    for client in clients.suffix(3) {
      try client.get("/again")
      #expect(try client.answer().body == "/again")
    }
    await server.stop()
  }

  @Test func `a client that does not read its responses gets no further ones (backpressure)`() async throws {
    var options = HTTPServerOptions()
    options.unsentBytes = 100_000
    let asked = Counter()
    let server = try await TestServer(options: options) { request in
      guard request.targetText == "/large" else { return text("") }
      asked.increment()
      return text(String(repeating: "x", count: 100_000))
    }
    let client = try server.connect(receiveBuffer: 4096)
    for _ in 0..<200 { try client.get("/large") }
    // The loop serves other connections in the meantime, and has had enough turns to serve the first.
    let other = try server.connect()
    for _ in 0..<200 {
      try other.get("/")
      _ = try other.answer()
    }
    // The server cannot bound the kernel's buffers, which hold some 4 MB at most.
    #expect(asked.count < 100)
    for _ in 0..<200 { #expect(try client.answer().body.utf8.count == 100_000) }
    await server.stop()
  }
}
