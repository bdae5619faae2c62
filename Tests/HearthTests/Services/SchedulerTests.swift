import Synchronization
import TestSupport
import Testing

@testable import Hearth

@Suite("Scheduled work", .timeLimit(.minutes(5)))
struct SchedulerTests {
  private struct Fault: Error {}

  @Test func `work that fails is tried again each second, and logged when it fails and when it succeeds`()
    async throws
  {
    try await TestServer.run { server in
      let (log, beginning) = (RecordedLog(), server.clock.clock.now())
      let moments = Mutex<Set<Int64>>([])
      let work = WorkEnvironment(
        leases: Leases(),
        database: server.services.database,
        clock: server.clock.clock,
        log: log.logger
      )
      let scheduler = Scheduler("test", in: work, isShared: false) { write in
        let now = write.now.milliseconds
        // A body that fails runs again if it was in a group with others, so runs are counted by their time.
        moments.withLock { _ = $0.insert(now - beginning) }
        if (now - beginning) % 4_000 < 3_000 { throw Fault() }
        return nil
      }
      defer { scheduler.stop() }
      for series in 1...2 {
        let start = server.clock.clock.now()
        scheduler.start()
        for second in 1...3 as ClosedRange<Int64> {
          await server.clock.whenSomebodySleeps(until: start + second * 1_000)
          server.clock.advance(seconds: 1)
        }
        while log.messages.count < 2 * series { await Task.yield() }
        #expect(moments.withLock { $0.count } == 4 * series)
        server.clock.advance(seconds: 1)
      }
      let lines = log.messages.map { $0.prefix { $0 != "." } }
      let (failure, end) = ("Scheduled work failed and is retried each second", "Scheduled work succeeds again")
      #expect(lines.map(String.init) == [failure, end, failure, end])
    }
  }

  @Test func `work during which the clock was set back is looked for again at once`() async throws {
    try await TestServer.run { server in
      let beginning = server.clock.clock.now()
      let moments = Mutex<Set<Int64>>([])
      let work = WorkEnvironment(
        leases: Leases(),
        database: server.services.database,
        clock: server.clock.clock,
        log: RecordedLog().logger
      )
      let scheduler = Scheduler("test", in: work, isShared: false) { write in
        let now = write.now.milliseconds
        let isNew = moments.withLock { $0.insert(now - beginning).inserted }
        if isNew, now == beginning { server.clock.advance(seconds: -60) }
        return now + 7_200_000
      }
      defer { scheduler.stop() }
      scheduler.start()
      await server.clock.whenSomebodySleeps(until: beginning - 60_000 + 7_200_000)
      #expect(moments.withLock { $0 } == [0, -60_000])
    }
  }
}
