import Foundation
import TestSupport
import Testing

/// `Scripts/with-postgresql`, with which `Scripts/serve --postgresql` and the benchmarks run.
@Suite(
  "A command with a private PostgreSQL cluster",
  .enabled(if: PostgreSQLCluster.isInstalled, "Scripts/install-postgresql installs PostgreSQL."),
  .timeLimit(.minutes(5))
)
struct TrialClusterTests {
  private static let script = Checkout.root.appendingPathComponent("Scripts/with-postgresql").path
  // The Unix socket's path is limited, and PostgreSQL's user must reach it.
  private static let environment = ["TMPDIR": "/tmp"]

  private func isGone(_ folder: String) -> Bool {
    let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    let isRunning = processes.contains { process in
      // The file of a process has no size.
      let handle = FileHandle(forReadingAtPath: "/proc/\(process)/cmdline")
      let command = (try? handle?.readToEnd()) ?? Data()
      return Int(process) != nil && String(decoding: command, as: UTF8.self).contains(folder)
    }
    return !isRunning && !FileManager.default.fileExists(atPath: folder)
  }

  @Test func `the database is empty and ends with the command, whose status it has`() async throws {
    let command = """
      psql --quiet --tuples-only --no-align "$HEARTH_DATABASE_URL" \
      --command 'SELECT count(*) FROM pg_tables WHERE schemaname = current_schema()' \
      --command 'SHOW fsync' --command 'SHOW listen_addresses'
      dirname "$HEARTH_DATA"
      exit 7
      """
    let result = try await Command.run([Self.script, "sh", "-c", command], environment: Self.environment)
    let lines = result.output.split(separator: "\n", omittingEmptySubsequences: false)
    try #require(lines.count >= 4, "\(result.output)")
    #expect(lines[0..<3] == ["0", "on", ""])
    #expect(result.status == 7)
    #expect(isGone(String(lines[3])))
  }
}
