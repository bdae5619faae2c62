import Glibc
import TestSupport
import Testing

@testable import EventLoop

@Suite("EventLoop", .timeLimit(.minutes(20)))
struct EventLoopTests {
  actor Resident {
    nonisolated let loop: EventLoop
    var count = 0
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
    init(on loop: EventLoop) { self.loop = loop }
    func increment() {
      loop.checkIsolated()
      count += 1
    }
  }

  func withLoop(_ body: (EventLoop) async throws -> Void) async throws {
    let loop = try EventLoop()
    try await body(loop)
    loop.stop()
    loop.join()
  }

  @Test func `an actor of the loop runs on its thread`() async throws {
    try await withLoop { loop in
      let resident = Resident(on: loop)
      await resident.increment()
      #expect(await resident.count == 1)
      #expect(!loop.isCurrent)
    }
  }

  @Test func `a callback of the loop is within the isolation of its actors`() async throws {
    try await withLoop { loop in
      let resident = Resident(on: loop)
      let fired = Counter()
      try await loop.run {
        _ = loop.schedule(after: 1) {
          resident.assumeIsolated { $0.increment() }
          fired.increment()
        }
      }
      await fired.wait(for: 1)
      #expect(await resident.count == 1)
    }
  }

  @Test func `a continuation resumed by another thread comes back to the loop that its task prefers`() async throws {
    let pool = try WorkerPool(threads: 1, queueLimit: 4)
    try await withLoop { loop in
      let wasThere = try await Task(executorPreference: loop) {
        let before = loop.isCurrent
        let away = try await pool.run { loop.isCurrent }
        return [before, away, loop.isCurrent]
      }.value
      #expect(wasThere == [true, false, true])
    }
    pool.stop()
  }

  @Test func `jobs run in their order, beyond the budget of a turn and the length of the ring`() async throws {
    try await withLoop { loop in
      actor Log {
        nonisolated let loop: EventLoop
        var seen: [Int] = []
        nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
        init(on loop: EventLoop) { self.loop = loop }
        func append(_ number: Int) { seen.append(number) }
      }
      let log = Log(on: loop)
      let done = Counter()
      try await loop.run {
        for number in 0..<2000 {
          Task(executorPreference: loop) {
            await log.append(number)
            done.increment()
          }
        }
      }
      await done.wait(for: 2000)
      #expect(await log.seen == Array(0..<2000))
    }
  }

  @Test func `tasks that always want to go on do not keep timers and sockets waiting`() async throws {
    try await withLoop { loop in
      let busy = Task(executorPreference: loop) {
        while !Task.isCancelled { await Task.yield() }
      }
      let fired = Counter()
      try await loop.run { _ = loop.schedule(after: 5) { fired.increment() } }
      await fired.wait(for: 1)
      busy.cancel()
      await busy.value
    }
  }

  @Test func `jobs have as much of a busy loop's time as its callbacks`() async throws {
    try await withLoop { loop in
      let (turns, done) = (Counter(), Counter())
      let jobs = 400
      try await loop.run {
        Self.keepCallbacksBusy(on: loop, counting: turns) { done.count == jobs }
        for _ in 0..<jobs {
          Task(executorPreference: loop) {
            Self.spin(for: .microseconds(100))
            done.increment()
          }
        }
      }
      await done.wait(for: jobs)
      // With 200 µs for the jobs of each turn, there were 200 turns.
      #expect(turns.count < 60)
    }
  }

  /// Takes 5 ms of each turn.
  private static func keepCallbacksBusy(
    on loop: EventLoop,
    counting turns: Counter,
    until isDone: @escaping @Sendable () -> Bool
  ) {
    turns.increment()
    spin(for: .milliseconds(5))
    if isDone() { return }
    loop.schedule(after: 1) { keepCallbacksBusy(on: loop, counting: turns, until: isDone) }
  }

  private static func spin(for duration: Duration) {
    let end = ContinuousClock.now + duration
    while ContinuousClock.now < end {}
  }

  @Test func `a task that waits for the next turn lets the loop's callbacks run before`() async throws {
    try await withLoop { loop in
      let fired = Counter()
      let count = await Task(executorPreference: loop) {
        _ = loop.schedule(after: 0) { fired.increment() }
        await loop.waitForNextTurn()
        return fired.count
      }.value
      #expect(count == 1)
    }
  }

  @Test func `a task that waits for one turn after the other ends with its loop`() async throws {
    let loop = try EventLoop()
    let turns = Counter()
    let task = Task(executorPreference: loop) {
      while !loop.isStopping {
        turns.increment()
        await loop.waitForNextTurn()
      }
    }
    await turns.wait(for: 10)
    loop.stop()
    loop.join()
    await task.value
  }

  @Test func `an idle loop uses no processor time`() async throws {
    try await withLoop { loop in
      @Sendable func processorNanoseconds() -> Int {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
      }
      // The loop has had more to do than a turn's budget, so that its idle handle has been in use.
      let busy = Task(executorPreference: loop) { for _ in 0..<2000 { await Task.yield() } }
      await busy.value
      let before = try await loop.run { processorNanoseconds() }
      let fired = Counter()
      try await loop.run { _ = loop.schedule(after: 300) { fired.increment() } }
      await fired.wait(for: 1)
      let after = try await loop.run { processorNanoseconds() }
      #expect(after - before < 5_000_000)
    }
  }

  @Test func `a task that was away when its loop stopped still ends`() async throws {
    let pool = try WorkerPool(threads: 1, queueLimit: 4)
    let loop = try EventLoop()
    let (gate, open) = AsyncStream.makeStream(of: Void.self)
    let resident = Resident(on: loop)
    let isAway = Counter()
    let task = Task(executorPreference: loop) {
      isAway.increment()
      for await _ in gate { break }
      await resident.increment()
      return try await pool.run { 7 }
    }
    await isAway.wait(for: 1)
    loop.stop()
    loop.join()
    open.yield()
    #expect(try await task.value == 7)
    #expect(await resident.count == 1)
    pool.stop()
  }

  @Test func `a signal is delivered on the loop instead of ending the process`() async throws {
    try await withLoop { loop in
      let signals = try await loop.signals([SIGUSR1, SIGUSR2])
      kill(getpid(), SIGUSR2)
      for await number in signals {
        #expect(number == SIGUSR2)
        break
      }
    }
  }

  @Test func `signals end with their loop`() async throws {
    let loop = try EventLoop()
    let signals = try await loop.signals([SIGWINCH])
    loop.stop()
    for await _ in signals { Issue.record("there was no signal") }
    loop.join()
    for await _ in try await loop.signals([SIGWINCH]) { Issue.record("the loop has ended") }
  }
}
