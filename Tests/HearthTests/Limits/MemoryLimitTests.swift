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
    let directory = try TemporaryDirectory()
    let server = try Program.serve(
      directory,
      environment: [
        "HEARTH_CLIENT_ADDRESS_HEADER": "x-forwarded-for",
        "HEARTH_BODY_BYTES_IN_FLIGHT": "\(Self.bodies)",
        "HEARTH_UPLOAD_BYTES_IN_FLIGHT": "\(Self.bodies)",
        "HEARTH_RESPONSE_BYTES_IN_FLIGHT": "\(Self.responses)",
      ]
    )
    let port = try await server.port()
    var people: [Household] = []
    for number in 0..<8 { people.append(try await Household(port: port, email: "parent\(number)@example.com")) }
    // What a response needs besides its bytes is allocated with the first one.
    let visitor = Client(port: port, from: "203.0.113.1")
    let response = try await visitor.post(Self.largeDocument)
    #expect(response.status == 200 && response.body.count > 500_000, "\(response.body.count)")
    let before = try Self.residentBytes(of: server, peak: false)

    let hostile = HostileClients(port: port)
    // 108 MB of bodies without their end, and 150 MB of responses: several times the limits.
    for number in 0..<120 {
      try await hostile.holdBody(number: number, token: people[number % people.count].parent.token)
    }
    for number in 0..<150 { try await hostile.leaveUnread(Self.largeDocument, number: number) }
    #expect(try await visitor.ask("{ __typename }")["data.__typename"] == "Query")

    let grown = try Self.residentBytes(of: server, peak: true) - before
    // A connection has at most 64 KB that do not count.
    let limit = Self.bodies + Self.responses + hostile.count * 65_536
    #expect(grown < limit, "\(grown / Self.mebibyte) MiB of \(limit / Self.mebibyte)")
    #expect(grown > Self.bodies, "The attack was too weak: \(grown / Self.mebibyte) MiB")
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
  private let port: Int
  private var sockets: [TestSocket] = []

  init(port: Int) { self.port = port }

  var count: Int { sockets.count }

  func holdBody(number: Int, token: String?) async throws {
    let head =
      "POST /graphql HTTP/1.1\r\nHost: test\r\nX-Forwarded-For: 198.18.\(number).1\r\nContent-Type: application/json\r\n"
      + "Authorization: Bearer \(token ?? "")\r\nContent-Length: 1000000\r\n\r\n"
    try await send(Array(head.utf8) + Array(repeating: 32, count: 900_000))
  }

  func leaveUnread(_ document: String, number: Int) async throws {
    let body = #"{"query":"\#(document)"}"#
    let head =
      "POST /graphql HTTP/1.1\r\nHost: test\r\nX-Forwarded-For: 198.19.\(number).1\r\nContent-Type: application/json\r\n"
      + "Content-Length: \(body.utf8.count)\r\n\r\n"
    try await send(Array((head + body).utf8))
  }

  /// The server closes connections that send more than it has memory for.
  private func send(_ bytes: [UInt8]) async throws {
    let socket = try TestSocket(port: port, receiveBuffer: 4096)
    sockets.append(socket)
    try await TestThread { do { try socket.send(bytes) } catch is TestSocket.Failure {} }.value
  }

  func close() { for socket in sockets { socket.close() } }
}
