import EventLoop
import HTTP
import HTTPServer
import TestSupport
import Testing

@Suite("Shutdown", .timeLimit(.minutes(20)))
struct ShutdownTests {
  @Test func `requests finish, idle connections are closed, new ones are rejected`() async throws {
    let gate = Gate()
    let asked = Counter()
    let server = try await TestServer { request in
      asked.increment()
      await gate.pass()
      return text(request.targetText)
    }
    let idle = try server.connect()
    let busy = try server.connect()
    try busy.get("/busy")
    await asked.wait(for: 1)
    let shutdown = Task(executorPreference: server.group.loops[0]) {
      await server.server.shutdown(deadline: .seconds(3600))
    }
    #expect(try idle.receiveAll().isEmpty)
    #expect(throws: TestSocket.Failure.self) { try server.connect() }
    gate.open()
    let answer = try busy.answer()
    #expect(answer.body == "/busy")
    #expect(answer.headers["connection"] == "close")
    #expect(try busy.receiveAll().isEmpty)
    busy.close()
    await shutdown.value
    server.group.stop()
  }

  @Test func `a request that has begun to arrive is still served`() async throws {
    let server = try await TestServer()
    let half = try server.connect()
    try half.get("/first")
    _ = try half.answer()
    try half.send("GET /half HT")
    let other = try server.connect()
    try other.get("/")
    _ = try other.answer()
    let shutdown = Task(executorPreference: server.group.loops[0]) {
      await server.server.shutdown(deadline: .seconds(3600))
    }
    #expect(try other.receiveAll().isEmpty)
    try half.send("TP/1.1\r\nHost: a\r\n\r\n")
    #expect(try half.answer().body == "/half")
    #expect(try half.receiveAll().isEmpty)
    half.close()
    await shutdown.value
    server.group.stop()
  }

  @Test func `what does not finish in time is closed`() async throws {
    let gate = Gate()
    let asked = Counter()
    let server = try await TestServer { _ in
      asked.increment()
      await gate.pass()
      return text("too late")
    }
    let client = try server.connect()
    try client.get("/")
    await asked.wait(for: 1)
    await server.server.shutdown(deadline: .milliseconds(30))
    #expect(try client.receiveAll().isEmpty)
    gate.open()
    server.group.stop()
  }

  @Test func `an address in use is reported when starting`() async throws {
    let server = try await TestServer()
    let second = HTTPServer(group: server.group, host: "127.0.0.1", port: server.port) { loop in
      TestHandler(on: loop) { _ in text("") }
    }
    await #expect(throws: ListenError.addressInUse(host: "127.0.0.1", port: server.port)) { try await second.start() }
    await server.stop()
  }
}
