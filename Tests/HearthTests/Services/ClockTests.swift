import Testing

@testable import Hearth

@Suite("The clock of the system")
struct ClockTests {
  @Test func `a wait ends when its moment has come, and at once for a moment that is past`() async throws {
    // The wait itself is tested, so time has to pass.
    let clock = Clock.system
    let moment = clock.now() + 30
    try await clock.sleep(until: moment)
    #expect(clock.now() >= moment)
    try await clock.sleep(until: 0)
  }

  @Test func `a wait without end ends when it is cancelled`() async {
    let waiting = Task { try await Clock.system.sleep(until: .max) }
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
  }
}
