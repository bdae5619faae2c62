import Foundation
import TestSupport
import Testing

/// Clients on bad networks, and a server that is killed. With 200 clients, 10,000 events and three kills:
///
///     HEARTH_CHAOS=whole swift test --filter ChaosTests
@Suite("Chaos", .timeLimit(.minutes(20)))
struct ChaosTests {
  @Test(.enabled(if: PythonScript.has("aiohttp", "websockets")))
  func `every client ends with every event, in order`() async throws {
    let (clients, events, kills) = TestOptions.isChaosWhole ? ("200", "10000", "3") : ("24", "600", "2")
    let outcome = try await PythonScript.run("Live/chaos.py", Program.executable().path, clients, events, kills)
    #expect(outcome.endsOK, "\(outcome.output)")
  }
}
