import Foundation
import Glibc
import TestSupport
import Testing

@Suite("Signals while it starts", .timeLimit(.minutes(20)))
struct EarlySignalTests {
  /// The folder is made before the database is opened, and that long before the port is.
  @Test(arguments: [SIGTERM, SIGINT, SIGHUP])
  func `a signal that comes before it serves ends it well`(signal: Int32) async throws {
    for _ in 0..<2 {
      let directory = try TemporaryDirectory()
      let data = directory.path + "/data"
      // Passwords that take a while, so that the signal comes first.
      let server = try Program(
        ["serve", "--port", "0", "--data", data, "--demo"],
        environment: ["HEARTH_PASSWORD_COST": "13"]
      )
      while access(data, F_OK) != 0 {}
      server.signal(signal)
      let result = try await server.result()
      #expect(result.status == 0 && !result.wasKilled)
      #expect(result.output.isEmpty)
      #expect(result.errors.contains("Shutting down before serving."), "\(result.errors)")
      #expect(try await Program.run("check", "--data", data).status == 0)
    }
  }

  @Test func `an ignored signal is ignored from the start`() async throws {
    let directory = try TemporaryDirectory()
    let result = try await Command.run(
      [
        // A server that does not start must not keep the loops running.
        "timeout", "300", "sh", "-c",
        """
        trap '' HUP
        "$0" serve --port 0 --data "$1" > "$1/out" 2> "$1/log" &
        until [ -e "$1/hearth.db" ]; do :; done
        kill -HUP $!
        until grep -q listening "$1/out"; do :; done
        kill -HUP $!
        kill -TERM $!
        wait $!
        """,
        try Program.executable().path, directory.path,
      ]
    )
    #expect(result.status == 0, "\(result.output)")
    let log = try String(contentsOfFile: directory.path + "/log", encoding: .utf8)
    #expect(log.matches(of: /signal=(\d+)/).map(\.1) == ["\(SIGTERM)"], "\(log)")
  }
}
