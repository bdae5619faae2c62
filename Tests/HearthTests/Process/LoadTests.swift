import Foundation
import TestSupport
import Testing

/// Of what comes in masses. Whole, with 100,000 of each:
///
///     HEARTH_LOAD=whole swift test --filter LoadTests
@Suite("In masses", .serialized, .timeLimit(.minutes(20)))
struct LoadTests {
  private func run(_ script: String, _ arguments: String...) async throws {
    let program = try Program.executable().path
    let outcome = try await PythonScript.run("Live/\(script)", [program] + arguments)
    #expect(outcome.status == 0 && outcome.output.hasSuffix("ok\n"), "\(outcome.output)")
  }

  @Test func `connections that break silently leave neither memory nor descriptors behind`() async throws {
    try await run("connections.py", TestOptions.isLoadWhole ? "100000" : "3000")
  }

  /// At the same moment, or within a minute: each is delivered once, and others are served in the meantime.
  @Test(arguments: [0, 60]) func `reminders that are due together become due once each`(seconds: Int) async throws {
    let isWhole = TestOptions.isLoadWhole
    try await run("reminders.py", isWhole ? "100000" : "2000", "\(isWhole ? seconds : seconds / 60)")
  }
}
