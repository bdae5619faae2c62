import Foundation
import TestSupport
import Testing

/// Of what comes in masses. Whole, with 100,000 of each:
///
///     HEARTH_LOAD=whole swift test --filter LoadTests
@Suite("In masses", .serialized, .timeLimit(.minutes(20)))
struct LoadTests {
  private func run(_ script: String, _ arguments: [String]) async throws {
    let program = try Program.executable().path
    let outcome = try await PythonScript.run("Live/\(script)", [program] + arguments)
    #expect(outcome.endsOK, "\(outcome.output)")
  }

  @Test func `connections that break silently leave neither memory nor descriptors behind`() async throws {
    try await run("connections.py", [TestOptions.isLoadWhole ? "100000" : "3000"])
  }

  /// At the same moment, or within a minute: each is delivered once, and others are served in the meantime.
  @Test(arguments: [0, 60]) func `reminders that are due together become due once each`(seconds: Int) async throws {
    // A debug build on a busy machine delivers none of 2,000 more than ten seconds late. The second that is promised is
    // measured by `Benchmarks/run --which reminders`.
    let short = ["2000", "\(seconds / 60)", "10000"]
    try await run("reminders.py", TestOptions.isLoadWhole ? ["100000", "\(seconds)"] : short)
  }
}
