import Foundation
import Glibc
import TestSupport
import Testing

@Suite("hearth serve at the limit of open files", .timeLimit(.minutes(20)))
struct OpenFilesTests {
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
      let names = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(server.processIdentifier)/fd")
      let used = Set(names.compactMap { Int($0) })
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
