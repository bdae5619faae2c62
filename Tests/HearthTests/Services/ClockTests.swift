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

  @Test func `a wait ends at once if the clock was set back after its caller had looked at it`() async throws {
    let clock = Clock.system
    try await clock.sleep(until: .max, since: clock.now() + 3_600_000)
  }

  @Test func `a server does not start with a clock that shows a time before its release`() async {
    let error = await #expect(throws: WrongClock.self) {
      try await TestServer.run(clock: TestClock(946_684_800_000)) { _ in }
    }
    #expect(error?.description.contains("it shows 2000-01-01T00:00:00Z, before") == true)
  }
}
