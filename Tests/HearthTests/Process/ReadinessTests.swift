import Foundation
import Glibc
import TestSupport
import Testing

@testable import Hearth

@Suite("/ready", .timeLimit(.minutes(20)))
struct ReadinessTests {
  /// Polls until the response changes: it is cached for a second.
  private func becomes(_ status: Int, _ http: HTTPClient) async throws -> String {
    while true {
      let answer = try await http.get("/ready")
      if answer.status == status { return answer.text }
    }
  }

  private static let lost = #"mutation { addChore(input: { name: "Lost" }) { chore { id } } }"#

  /// Only the soft limit, which can be raised again.
  private func limitFiles(of server: Program, to bytes: String) async throws {
    let result = try await Command.run(["prlimit", "--pid", "\(server.processIdentifier)", "--fsize=\(bytes):"])
    #expect(result.status == 0, "\(result.output)")
  }

  @Test func `is 503 while writes fail for lack of space, even without writes, and 200 when there is space again`()
    async throws
  {
    let directory = try TemporaryDirectory()
    let server = try Program.serve(directory)
    let http = HTTPClient(port: try await server.port())
    let ada = try await Household(port: http.port)
    #expect(try await http.get("/ready").text == "ready\n")

    try await limitFiles(of: server, to: "1")
    #expect(try await ada.parent.post(Self.lost).codes == ["STORAGE_UNAVAILABLE"])
    #expect(try await ada.parent.perform(ExportTests.export).codes == ["STORAGE_UNAVAILABLE"])
    let text = try await becomes(503, http)
    #expect(text.hasPrefix("not ready: the") && text.hasSuffix("\n") && !text.contains(directory.path), "\(text)")
    // Reads go on.
    #expect(try await ada.parent.ask("{ family { chores { totalCount } } }")["data.family.chores.totalCount"] == 0)

    try await limitFiles(of: server, to: "unlimited")
    #expect(try await becomes(200, http) == "ready\n")
    _ = try await ada.addChore("Stored")
    server.signal(SIGTERM)
    let result = try await server.result()
    #expect(result.status == 0)
    #expect(result.errors.contains("The server is not ready.") && result.errors.contains("ready again"))
    #expect(try await Program.run("check", "--data", directory.path).status == 0)
  }

  @Test func `is 503 while less space is left than required`() async throws {
    let server = try Program.serve(TemporaryDirectory(), environment: ["HEARTH_MIN_FREE_BYTES": "\(1 << 50)"])
    let answer = try await HTTPClient(port: try await server.port()).get("/ready")
    #expect(answer.status == 503 && answer.text == "not ready: the disk is almost full\n")
    server.signal(SIGTERM)
    #expect(try await server.result().status == 0)
  }

  @Test(.onlySQLite("There is no file."), arguments: ["hearth.db", "hearth.db-wal"])
  func `is 503 while the database was moved, and nothing is acknowledged`(name: String) async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let path = "\(server.directory.path)/\(name)"
      try FileManager.default.moveItem(atPath: path, toPath: path + ".away")
      #expect(try await becomes(503, server.http) == "not ready: the database file was moved or removed\n")
      #expect(try await ada.parent.post(Self.lost).codes == ["STORAGE_UNAVAILABLE"])
      try FileManager.default.moveItem(atPath: path + ".away", toPath: path)
      #expect(try await becomes(200, server.http) == "ready\n")
      _ = try await ada.addChore("Stored")
      let chores = try await ada.parent.ask("{ family { chores { nodes { name } } } }")
      #expect(chores["data.family.chores.nodes"].each("name") == ["Stored"])
    }
  }
}
