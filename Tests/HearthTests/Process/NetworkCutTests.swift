import Foundation
import Glibc
import TestSupport
import Testing

/// A network cut between a process and its PostgreSQL database, in network namespaces. With a cut of one minute:
///
///     HEARTH_CHAOS=whole swift test --filter NetworkCutTests
@Suite(
  "A network cut between a process and its database",
  .enabled(if: PostgreSQLCluster.isInstalled, "Scripts/install-postgresql installs PostgreSQL."),
  .enabled(
    if: geteuid() == 0 && DeploymentTests.has("ip") && PythonScript.has("aiohttp", "websockets"),
    "Network namespaces need the rights of root, ip (Debian's package is iproute2), and Python packages of Scripts/test."
  ),
  .timeLimit(.minutes(5))
)
struct NetworkCutTests {
  @Test func `the process is not ready soon, recovers by itself, and loses and repeats nothing`() async throws {
    let arguments = [try Program.executable().path, TestOptions.isChaosWhole ? "60" : "8"]
    let outcome = try await PythonScript.run("Live/network_cut.py", arguments)
    #expect(outcome.endsOK, "\(outcome.output)")
  }
}
