import Foundation
import TestSupport
import Testing

/// Three processes behind nginx, as Documentation/processes.md sets them up, which are killed, and so is the primary of
/// their database. With 200 clients, 10,000 events, 100 killed processes and 5 killed primaries:
///
///     HEARTH_CHAOS=whole swift test --filter SeveralProcessesTests
@Suite(
  "Several processes behind nginx",
  .serialized,
  .enabled(if: PostgreSQLCluster.isInstalled, "Scripts/install-postgresql installs PostgreSQL."),
  .enabled(
    if: DeploymentTests.has("nginx") && PythonScript.has("aiohttp", "websockets"),
    "Scripts/test installs nginx and the Python packages."
  ),
  .timeLimit(.minutes(40))
)
struct SeveralProcessesTests {
  @Test func `killed processes and primaries lose, repeat and reorder nothing`() async throws {
    let numbers = TestOptions.isChaosWhole ? ["200", "10000", "100", "5"] : ["16", "300", "6", "1"]
    try await run("processes.py", ["3"] + numbers)
  }

  /// `Benchmarks/README.md` has the figures of a whole minute and a release build.
  @Test func `reminders come once and in time though the process that makes them due is killed`() async throws {
    // Another process has the lease after four seconds, and later on a busy machine.
    try await run("reminders.py", ["200", "2", "20000", "3", "1"])
  }

  private func run(_ script: String, _ numbers: [String]) async throws {
    let outcome = try await PythonScript.run("Live/\(script)", [try Program.executable().path] + numbers)
    #expect(outcome.endsOK, "\(outcome.output)")
  }

  @Test func `processes that are replaced lose nothing, and requests fail only so that they can be sent again`()
    async throws
  {
    let program = try Program.executable().path
    let old = TestOptions.oldProgram ?? program
    let numbers = TestOptions.isChaosWhole ? ["100", "3000"] : ["8", "120"]
    let outcome = try await PythonScript.run("Live/upgrade.py", [old, program, "3"] + numbers)
    #expect(outcome.endsOK, "\(outcome.output)")
  }
}
