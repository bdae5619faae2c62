import Foundation
import Glibc
import TestSupport
import Testing

@Suite("hearth serve at the limit of open files", .timeLimit(.minutes(20)))
struct OpenFilesTests {
  private func openFiles(of server: Program) throws -> Set<Int> {
    let names = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(server.processIdentifier)/fd")
    return Set(names.compactMap { Int($0) })
  }

  @Test func `idle connections leave descriptors free, and a new client is answered`() async throws {
    let directory = try TemporaryDirectory()
    let hearth = try Program.executable().path
    let server = try Program(
      [
        "-c", "ulimit -n 300; exec \"$0\" \"$@\"",
        hearth, "serve", "--port", "0", "--data", directory.path, "--loops", "1",
      ],
      executable: "/bin/sh"
    )
    let port = try await server.port()
    let idle = try await TestThread { try (0..<330).map { _ in try TestSocket(port: port) } }.value
    let client = HTTPClient(port: port)
    // The server closes idle connections after the turn in which it has accepted many: until then the status is 503.
    while try await client.get("/health").status == 503 {}
    #expect(try await client.get("/ready").status == 200)
    // It keeps 64 for the process and 8 for its loop, and half of them even from connections beyond the maximum.
    #expect(try openFiles(of: server).count <= 300 - 36)
    withExtendedLifetime(idle) {}
    server.signal(SIGTERM)
    let result = try await server.result()
    #expect(result.status == 0 && !result.wasKilled)
    #expect(result.errors.contains("(ulimit -Hn) is 300"), "\(result.errors)")
    #expect(!result.errors.contains("New connections wait"), "\(result.errors)")
  }

  @Test func `the server raises a low limit as far as it may`() async throws {
    let directory = try TemporaryDirectory()
    let hearth = try Program.executable().path
    let server = try Program(
      ["-c", "ulimit -Sn 256; exec \"$0\" \"$@\"", hearth, "serve", "--port", "0", "--data", directory.path],
      executable: "/bin/sh"
    )
    _ = try await server.port()
    let limits = try String(contentsOfFile: "/proc/\(server.processIdentifier)/limits", encoding: .utf8)
    let match = try #require(limits.firstMatch(of: /Max open files +(\d+) +(\d+)/), "\(limits)")
    let (soft, hard) = (try #require(Int(match.1)), try #require(Int(match.2)))
    #expect(soft == min(hard, 1 << 17))
    server.signal(SIGTERM)
    #expect(try await server.result().status == 0)
  }

  @Test func `logs once that descriptors have run out, and serves those that waited`() async throws {
    let server = try Program.serve(TemporaryDirectory())
    let port = try await server.port()
    let known = HTTPClient(port: port)
    #expect(try await known.get("/ready").status == 200)
    func allowFiles(_ limit: Int) async throws {
      let result = try await Command.run(["prlimit", "--pid", "\(server.processIdentifier)", "--nofile=\(limit):"])
      #expect(result.status == 0, "\(result.output)")
    }
    try await allowFiles(4)
    // They have connected when they have been made, and wait in the system's backlog.
    let waiting = try await TestThread {
      try (0..<4).map { _ -> TestSocket in
        let socket = try TestSocket(port: port)
        try socket.send("GET /health HTTP/1.1\r\nHost: a\r\n\r\n")
        return socket
      }
    }.value
    await server.waitForErrors { $0.contains("New connections wait") }
    for socket in waiting.dropLast() {
      // One more descriptor: the listener accepts this connection, and fails to accept the next one.
      let used = try openFiles(of: server)
      var free = 0
      while used.contains(free) { free += 1 }
      try await allowFiles(free + 1)
      #expect(try await TestThread { try socket.httpAnswer().status }.value == 200)
    }
    try await allowFiles(1024)
    let last = waiting[3]
    #expect(try await TestThread { try last.httpAnswer().status }.value == 200)
    #expect(try await known.get("/health").status == 200)
    server.signal(SIGTERM)
    let result = try await server.result()
    #expect(result.errors.components(separatedBy: "New connections wait").count == 2, "\(result.errors)")
  }
}
