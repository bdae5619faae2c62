import Foundation
import TestSupport
import Testing

/// Three processes behind nginx, as Documentation/processes.md sets them up, which are killed, and so is the primary of
/// their database. With 200 clients, 10,000 events, 100 killed processes and 5 killed primaries:
///
///     HEARTH_CHAOS=whole swift test --filter SeveralProcessesTests
@Suite(
  "Several processes behind nginx",
  .enabled(if: PostgreSQLCluster.isInstalled, "PostgreSQL is not installed: Debian's package is postgresql-15."),
  .enabled(
    if: DeploymentTests.has("nginx") && PythonScript.has("aiohttp", "websockets"),
    "Scripts/test installs nginx and the Python packages."
  ),
  .timeLimit(.minutes(40))
)
struct SeveralProcessesTests {
  @Test func `killed processes and primaries lose, repeat and reorder nothing`() async throws {
    let isWhole = ProcessInfo.processInfo.environment["HEARTH_CHAOS"] == "whole"
    let numbers = isWhole ? ["200", "10000", "100", "5"] : ["16", "300", "6", "1"]
    let arguments = [try Program.executable().path, "3"] + numbers
    let outcome = try await PythonScript.run("Live/processes.py", arguments)
    #expect(outcome.status == 0 && outcome.output.hasSuffix("ok\n"), "\(outcome.output)")
  }

  /// `HEARTH_OLD_PROGRAM` is the program of an earlier version, which this one replaces: a rolling upgrade.
  @Test func `processes that are replaced lose nothing, and requests fail only so that they can be sent again`()
    async throws
  {
    let environment = ProcessInfo.processInfo.environment
    let program = try Program.executable().path
    let old = environment["HEARTH_OLD_PROGRAM"] ?? program
    let numbers = environment["HEARTH_CHAOS"] == "whole" ? ["100", "3000"] : ["8", "120"]
    let outcome = try await PythonScript.run("Live/upgrade.py", [old, program, "3"] + numbers)
    #expect(outcome.status == 0 && outcome.output.hasSuffix("ok\n"), "\(outcome.output)")
  }
}
