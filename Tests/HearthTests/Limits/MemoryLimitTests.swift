import Foundation
import TestSupport
import Testing

/// The memory of a server stays below the sum of its limits, whatever clients send and do not read.
@Suite("Memory limits", .onlySQLite("The buffers are the same."))
struct MemoryLimitTests {
  private static let mebibyte = 1 << 20
  private static let bodies = 32 * mebibyte
  private static let responses = 32 * mebibyte

  @Test(.timeLimit(.minutes(10)))
  func `held bodies and unread responses take no more memory than their limits`() async throws {
    // A connection has at most 64 KB that do not count. Freed memory that the allocator has not returned took up to 3
    // MiB on a busy machine.
    try await Self.attack(uncounted: 8 * Self.mebibyte, perConnection: 65_536) { hostile, tokens in
      // 108 MB of bodies without their end, and 150 MB of responses: several times the limits.
      for number in 0..<120 { try await hostile.holdBody(number: number, token: tokens[number % tokens.count]) }
      for number in 0..<150 { try await hostile.leaveUnread(Self.largeDocument, number: number) }
    }
  }

  @Test(.timeLimit(.minutes(10)))
  func `nor do forms, messages of WebSockets, unread event streams, and variables with many values`() async throws {
    try await Self.attack(uncounted: Self.parsedJSON, perConnection: 320 << 10) { hostile, tokens in
      // 80 MB of forms and 40 MB of messages without their end, and 60 MB of event streams.
      for number in 0..<8 { try await hostile.holdForm(number: number, token: tokens[number % tokens.count]) }
      for number in 0..<40 { try await hostile.holdMessage(token: tokens[number % tokens.count]) }
      for number in 0..<60 { try await hostile.leaveUnread(Self.largeDocument, number: number, asEvents: true) }
      // 30 MB of JSON, each of which has about as many values as a request may have.
      for number in 0..<120 { try await hostile.sendVariables(number: number, token: tokens[number % tokens.count]) }
    }
  }

  @Test(.timeLimit(.minutes(10)))
  func `nor do large pictures that many clients load at once`() async throws {
    // The upload, and what its threads keep of it.
    try await Self.attack(uncounted: 64 * Self.mebibyte, perConnection: 65_536) { hostile, tokens in
      let picture = SamplePicture.jpeg(trailer: [UInt8](repeating: 0, count: 6_000_000))
      let client = Client(port: hostile.port, token: tokens[0], from: "203.0.113.2")
      let added = try await client.perform(Documents.addItem, ["name": "Tent"], files: ["photo": picture])
      let url = try #require(added["item.photo.url"].string, "\(added)")
      let path = url.dropFirst("http://127.0.0.1:\(hostile.port)".count)
      for number in 0..<40 { try await hostile.holdBody(number: number, token: tokens[number % tokens.count]) }
      // 1.2 GB of pictures.
      for number in 0..<200 { try await hostile.load(String(path), number: number) }
    }
  }

  @Test func `a start takes no memory for a password`() async throws {
    // Hashing one takes a gibibyte with this cost.
    let server = try Program.serve(TemporaryDirectory(), environment: ["HEARTH_PASSWORD_COST": "20"])
    _ = try await server.port()
    let peak = try Self.residentBytes(of: server, peak: true)
    #expect(peak < 512 * Self.mebibyte, "\(peak / Self.mebibyte) MiB")
    server.signal(SIGTERM)
    #expect(try await server.result().status == 0)
  }

  /// The values of a request that is being read.
  private static let parsedJSON = 64 * mebibyte

  /// Runs `body` with hostile clients and the tokens of some people, and checks what memory the server has taken then.
  private static func attack(
    uncounted: Int,
    perConnection: Int,
    _ body: (HostileClients, [String]) async throws -> Void
  ) async throws {
    let directory = try TemporaryDirectory()
    let server = try Program.serve(
      directory,
      environment: [
        "HEARTH_CLIENT_ADDRESS_HEADER": "x-forwarded-for",
        "HEARTH_BODY_BYTES_IN_FLIGHT": "\(bodies)",
        "HEARTH_UPLOAD_BYTES_IN_FLIGHT": "\(bodies)",
        "HEARTH_RESPONSE_BYTES_IN_FLIGHT": "\(responses)",
      ]
    )
    let port = try await server.port()
    var tokens: [String] = []
    for number in 0..<8 {
      let person = try await Household(port: port, email: "parent\(number)@example.com")
      tokens.append(try #require(person.parent.token))
    }
    // What a response needs besides its bytes is allocated with the first one on each loop, which prepares the
    // document. Loops get new connections in turn.
    let visitor = Client(port: port, from: "203.0.113.1")
    for _ in 0..<ProcessInfo.processInfo.activeProcessorCount {
      let response = try await Client(port: port, from: "203.0.113.1").post(largeDocument)
      #expect(response.status == 200 && response.body.count > 500_000, "\(response.body.count)")
    }
    let before = try residentBytes(of: server, peak: false)

    let hostile = HostileClients(port: port)
    try await body(hostile, tokens)
    #expect(try await visitor.ask("{ __typename }")["data.__typename"] == "Query")

    let grown = try residentBytes(of: server, peak: true) - before
    let limit = bodies + responses + uncounted + hostile.count * perConnection
    #expect(grown < limit, "\(grown / mebibyte) MiB of \(limit / mebibyte)")
    #expect(grown > bodies, "The attack was too weak: \(grown / mebibyte) MiB")
    hostile.close()
    server.signal(SIGTERM)
    #expect(try await server.result().status == 0)
  }

  /// Responses of about a megabyte, to anybody.
  private static let largeDocument: String = {
    let fields = "fields { name description args { name description type { name } } type { name kind } }"
    let schema = "__schema { types { name description \(fields) inputFields { name description } } }"
    return "{ " + ["a", "b", "c", "d", "e"].map { "\($0): \(schema)" }.joined(separator: " ") + " }"
  }()

  /// The resident memory of a process, now or at its peak.
  private static func residentBytes(of server: Program, peak: Bool) throws -> Int {
    let status = try String(contentsOfFile: "/proc/\(server.processIdentifier)/status", encoding: .utf8)
    let line = try #require(status.split(separator: "\n").first { $0.hasPrefix(peak ? "VmHWM:" : "VmRSS:") })
    return try #require(line.split(separator: " ").dropFirst().first.flatMap { Int($0) }) * 1024
  }
}

/// Clients that send requests without their end, and requests whose responses they do not read. Each is on a network
/// of its own.
private final class HostileClients {
  let port: Int
  private var sockets: [TestSocket] = []
  private var webSockets: [TestWebSocket] = []

  init(port: Int) { self.port = port }

  var count: Int { sockets.count + webSockets.count }

  private static func head(_ address: String, length: Int, _ lines: [String] = []) -> [UInt8] {
    let type = lines.contains { $0.hasPrefix("Content-Type") } ? [] : ["Content-Type: application/json"]
    let first = ["POST /graphql HTTP/1.1", "Host: test", "X-Forwarded-For: \(address)", "Content-Length: \(length)"]
    let all = first + type + lines
    return Array((all.joined(separator: "\r\n") + "\r\n\r\n").utf8)
  }

  func holdBody(number: Int, token: String) async throws {
    let head = Self.head("198.18.\(number).1", length: 1_000_000, ["Authorization: Bearer \(token)"])
    try await send(head + Array(repeating: 32, count: 900_000))
  }

  func holdForm(number: Int, token: String) async throws {
    let lines = [
      "Authorization: Bearer \(token)", "GraphQL-Require-Preflight: 1",
      "Content-Type: multipart/form-data; boundary=x",
    ]
    let head = Self.head("198.20.\(number).1", length: 11_000_000, lines)
    try await send(head + Array("--x\r\n".utf8) + Array(repeating: 32, count: 10_000_000))
  }

  func holdMessage(token: String) async throws {
    let port = port
    webSockets.append(
      try await TestThread {
        let socket = try TestWebSocket(port: port, subprotocol: "graphql-transport-ws")
        try socket.send(#"{"type":"connection_init","payload":{"Authorization":"Bearer \#(token)"}}"#)
        _ = try socket.receive()
        do {
          try socket.send(0x1, Array(repeating: 32, count: 1_000_000), isFinal: false)
        } catch is TestSocket.Failure {}
        return socket
      }.value
    )
  }

  func leaveUnread(_ document: String, number: Int, asEvents: Bool = false) async throws {
    let body = #"{"query":"\#(document)"}"#
    let lines = asEvents ? ["Accept: text/event-stream"] : []
    try await send(Self.head("198.19.\(number).1", length: body.utf8.count, lines) + Array(body.utf8))
  }

  func sendVariables(number: Int, token: String) async throws {
    let phones = (0..<8).map { #""\#($0)""# }.joined(separator: ",")
    let entries = Array(repeating: #"{"name":"","phones":[\#(phones)]}"#, count: 4_600).joined(separator: ",")
    let document = "mutation ($e: [AddressBookEntryInput!]!) { matchAddressBook(entries: $e) { userErrors { code } } }"
    let body = #"{"query":"\#(document)","variables":{"e":[\#(entries)]}}"#
    let head = Self.head("198.21.\(number).1", length: body.utf8.count, ["Authorization: Bearer \(token)"])
    try await send(head + Array(body.utf8))
  }

  func load(_ path: String, number: Int) async throws {
    try await send(Array("GET \(path) HTTP/1.1\r\nHost: test\r\nX-Forwarded-For: 198.22.\(number).1\r\n\r\n".utf8))
  }

  /// The server closes connections that send more than it has memory for.
  private func send(_ bytes: [UInt8]) async throws {
    let socket = try TestSocket(port: port, receiveBuffer: 4096)
    sockets.append(socket)
    try await TestThread { do { try socket.send(bytes) } catch is TestSocket.Failure {} }.value
  }

  func close() {
    for socket in sockets { socket.close() }
    for socket in webSockets { socket.socket.close() }
  }
}
