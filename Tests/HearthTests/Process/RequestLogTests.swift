import Foundation
import Glibc
import Storage
import Synchronization
import TestSupport
import Testing

@testable import GraphQLTransport
@testable import Hearth

@Suite("The request log and the slow log", .timeLimit(.minutes(20)))
struct RequestLogTests {
  /// The lines that a server has written after its ready line, as JSON.
  private func records(_ output: String) throws -> [Value] {
    try output.split(separator: "\n").dropFirst().map { try Value(Array($0.utf8)) }
  }

  private func stop(_ server: Program) async throws -> Program.Result {
    server.signal(SIGTERM)
    let result = try await server.result()
    #expect(result.status == 0)
    return result
  }

  @Test func `each request is a line with operation, duration, cost, caller, outcome and bytes`() async throws {
    let server = try Program.serve(
      TemporaryDirectory(),
      environment: ["HEARTH_REQUEST_LOG": "json", "HEARTH_CLIENT_ADDRESS_HEADER": "X-Forwarded-For"]
    )
    let port = try await server.port()
    let ada = try await Household(port: port)
    let dashboard = "query Dashboard($n: Int!) { family { name children { name } chores(first: $n) { totalCount } } }"
    let answer = try await ada.parent.post(dashboard, ["n": 7])
    let stranger = Client(port: port, from: "203.0.113.7")
    _ = try await stranger.post("query Secret { family { name } }")
    let invalid = try await stranger.post("{ nonsense }")
    _ = try await stranger.post("query Kind { __typename }")
    _ = try await stranger.post("query Kind { __typename }")
    let malformed = try await Client(port: port, from: "2001:db8:1:2:3::4").http.post("not JSON")
    let live = try await LiveSocket.open(port)
    try await live.initialize(ada.parent.token)
    try await live.subscribe("1", "subscription Follow { familyChanged { __typename } }")
    try await live.subscribe("2", "query Again { family { name } }")
    try await live.subscribe("3", "query Parts { __typename ... @defer { family { name } } }")
    while case .text(let message) = try await live.receive(), !message.contains(#""hasNext":false"#) {}
    let all = try records(try await stop(server).output)

    let register = try #require(all.first)
    #expect(
      register["type"] == "mutation" && register["outcome"] == "OK" && register["person"] == .string(ada.personID)
    )
    #expect((register["cost"].int ?? 0) >= 110_000)
    let found = try #require(all.first { $0["operation"] == "Dashboard" })
    #expect(found["type"] == "query" && found["outcome"] == "OK" && found["person"] == .string(ada.personID))
    #expect(found["bytes"] == .number(Double(answer.body.count)))
    if case .number(let duration) = found["milliseconds"] {
      #expect(duration > 0 && duration < 60_000)
    } else {
      Issue.record("\(found)")
    }
    #expect((found["cost"].int ?? 0) > 1 && found["network"] == .null && found["slow"] == .null)
    #expect(found["time"].string?.wholeMatch(of: /20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z/) != nil)
    let secret = try #require(all.first { $0["operation"] == "Secret" })
    #expect(secret["outcome"] == "UNAUTHENTICATED" && secret["network"] == "203.0.113.7" && secret["person"] == .null)
    let rejected = try #require(all.first { $0["outcome"] == "GRAPHQL_VALIDATION_FAILED" })
    #expect(rejected["operation"] == .null && rejected["type"] == .null)
    #expect(rejected["bytes"] == .number(Double(invalid.body.count)) && invalid.body.count > 0)
    #expect(all.count { $0["operation"] == "Kind" && $0["outcome"] == "OK" } == 2)
    let unread = try #require(all.first { $0["outcome"] == "BAD_REQUEST" })
    #expect(unread["network"] == "2001:db8:1:2::/64" && unread["bytes"] == .number(Double(malformed.body.count)))
    #expect(all.contains { $0["operation"] == "Follow" && $0["type"] == "subscription" && $0["bytes"] == 0 })
    #expect(all.contains { $0["operation"] == "Again" && $0["person"] == .string(ada.personID) })
    let parts = try #require(all.first { $0["operation"] == "Parts" })
    #expect((parts["bytes"].int ?? 0) > "{\"data\":{}}".utf8.count)
    // Neither tokens, nor variables, nor passwords.
    for text in all.map(\.text) {
      #expect(!text.contains(Household.password) && !text.contains("ada@example.com") && !text.contains("eyJ"))
    }
  }

  @Test func `one of as many requests is logged as text`() async throws {
    let server = try Program.serve(TemporaryDirectory(), environment: ["HEARTH_REQUEST_LOG": "text:5"])
    let visitor = Client(port: try await server.port())
    for _ in 0..<20 { _ = try await visitor.post("query Name { __typename family { name } }") }
    let lines = try await stop(server).output.split(separator: "\n").dropFirst()
    #expect(lines.count == 4)
    for line in lines {
      let form = /20\S+Z query Name UNAUTHENTICATED \d+\.\d{3} ms cost \d+ \d+ B unknown/
      #expect(line.wholeMatch(of: form) != nil, "\(line)")
    }
  }

  @Test func `slow requests are logged with their statements, and others are not`() async throws {
    let server = try Program.serve(TemporaryDirectory(), environment: ["HEARTH_SLOW_LOG": "1"])
    let port = try await server.port()
    let ada = try await Household(port: port)
    for number in 0..<3 { _ = try await ada.addChore("Chore \(number)") }
    // Waits for the disk, which takes more than a millisecond together with the hash of a password.
    let input = A02SignInTests.input("ada@example.com", Household.password)
    _ = try await Client(port: port).perform(Documents.signIn, input)
    let output = try await stop(server).output
    let registration = try #require(output.split(separator: "mutation ").dropFirst().first)
    #expect(registration.contains(" slow\n"))
    #expect(registration.firstMatch(of: /\n +\d+\.\d{3} ms, \d+x: INSERT INTO person\s/) != nil, "\(output)")
    #expect(registration.contains("x: INSERT INTO account "), "\(output)")
    #expect(!output.contains("ada@example.com") && !output.contains("Ada Lovelace"))

    let patient = try Program.serve(TemporaryDirectory(), environment: ["HEARTH_SLOW_LOG": "3600000"])
    _ = try await Household(port: try await patient.port())
    #expect(try await stop(patient).output.split(separator: "\n").count == 1)
  }

  @Test func `statements are measured on the loop, off it, and in writes`() async throws {
    for steps in [200_000, 50] {
      let configure: (inout Configuration) -> Void = { configuration in
        // Every request is slow.
        configuration.requestLog.slowNanoseconds = 1
        configuration.databaseLimits.loopTurn.steps = steps
      }
      try await TestServer.run(loops: 1, configure: configure) { server in
        let ada = try await Household(on: server)
        for number in 0..<5 { _ = try await ada.addChore("Chore \(number)") }
        _ = try await ada.parent.ask("query List { family { chores(first: 5) { nodes { name } } } }")
        _ = try await ada.parent.ask("query Other { family { name } }")

        let file = server.directory.path + "/requests.log"
        let descriptor = open(file, O_WRONLY | O_CREAT, 0o600)
        let log = try #require(server.requestLog)
        try log.start(writingTo: descriptor)
        try await TestThread { log.stop() }.value
        close(descriptor)
        let text = try String(contentsOfFile: file, encoding: .utf8)
        let parts = text.components(separatedBy: "query List ")
        let list = try #require(parts.last?.components(separatedBy: " query Other ").first)
        #expect(parts.count == 2 && list.contains("chore"), "\(text)")
        #expect(!list.contains("INSERT"), "\(text)")
        #expect(text.contains("INSERT OR FAIL INTO chore "), "\(text)")
      }
    }
  }

  @Test func `a log that nobody reads drops records, counts them, and delays neither requests nor the end`()
    async throws
  {
    var ends: [Int32] = [0, 0]
    #expect(pipe(&ends) == 0)
    let (output, input) = (ends[0], ends[1])
    var options = RequestLog.Options()
    options.interval = 1
    let log = RequestLog(options)
    try log.start(writingTo: input)
    let record = RequestRecord(time: 0, nanoseconds: 1, client: .unknown, outcome: "OK", bytes: 1)
    // The pipe has room for 64 KB, and the queue for thousands.
    for _ in 0..<20_000 { log.append(record) }
    while log.droppedCount == 0 { log.append(record) }
    // Returns although nobody reads: otherwise the suite's time limit ends the test.
    try await TestThread { log.stop() }.value
    close(input)
    close(output)
  }

  @Test func `records that cannot be written are counted, and the next line is whole`() async throws {
    var ends: [Int32] = [0, 0]
    #expect(pipe(&ends) == 0)
    let (output, input) = (ends[0], ends[1])
    let full = open("/dev/full", O_WRONLY)
    let descriptor = dup(input)
    var options = RequestLog.Options()
    options.format = .json
    options.interval = 1
    let log = RequestLog(options)
    let reports = Mutex<[String]>([])
    try log.start(writingTo: descriptor) { report in reports.withLock { $0.append(report) } }
    let outcome = String(repeating: "X", count: 100_000)
    let record = RequestRecord(time: 0, nanoseconds: 1, client: .unknown, outcome: outcome, bytes: 1)
    // Each is more than the pipe's 64 KB, so that the first one is cut.
    for _ in 0..<3 { log.append(record) }
    while Self.hasRoom(input) { await Task.yield() }
    // Now the disk is full.
    dup2(full, descriptor)
    while log.droppedCount == 0 { await Task.yield() }
    // Now it has room again.
    dup2(input, descriptor)
    close(input)
    log.append(record)
    let reading = TestThread { try FileHandle(fileDescriptor: output, closeOnDealloc: false).readToEnd() ?? Data() }
    try await TestThread { log.stop() }.value
    close(descriptor)
    let text = String(decoding: try await reading.value, as: UTF8.self)
    close(output)
    close(full)

    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    let whole = lines.compactMap { try? Value(Array($0.utf8)) }
    // Only the cut line is not whole.
    #expect(lines.count == whole.count + 1)
    let written = whole.count { $0["outcome"] == .string(outcome) }
    let dropped = whole.compactMap { $0["dropped"].int }
    #expect(written + dropped.count == whole.count && written + dropped.reduce(0, +) == 4)
    #expect(reports.withLock { $0 }.count == 1)
  }

  /// Whether a pipe takes more bytes now.
  private static func hasRoom(_ pipe: Int32) -> Bool {
    var ready = pollfd(fd: pipe, events: Int16(POLLOUT), revents: 0)
    return poll(&ready, 1, 0) > 0
  }

  @Test(arguments: [
    ("HEARTH_REQUEST_LOG", "yes"), ("HEARTH_REQUEST_LOG", "json:0"), ("HEARTH_REQUEST_LOG", "json:"),
    ("HEARTH_REQUEST_LOG", "text:1:2"), ("HEARTH_SLOW_LOG", "0"), ("HEARTH_SLOW_LOG", "1.5"),
    ("HEARTH_READ_ONLY", "on"),
  ])
  func `other values are rejected`(name: String, value: String) async throws {
    let result = try await Program.run("config", "check", environment: [name: value])
    #expect(result.status == 1 && result.errors.hasPrefix("Error: \(name) must be "), "\(result.errors)")
  }
}
