import EventLoop
import Glibc
import TestSupport
import Testing

@Suite("WorkerPool", .timeLimit(.minutes(20)))
struct WorkerPoolTests {
  struct WorkError: Error, Equatable {}

  @Test func `work gives its result or its error`() async throws {
    let pool = try WorkerPool(threads: 2, queueLimit: 10)
    #expect(try await pool.run { 6 * 7 } == 42)
    await #expect(throws: WorkError.self) { try await pool.run { throw WorkError() } }
    pool.stop()
  }

  @Test func `work has its pool's priority`() async throws {
    func priority(of pool: WorkerPool) async throws -> (policy: Int32, niceness: Int32) {
      try await pool.run { (policy: sched_getscheduler(0), niceness: nice(0)) }
    }
    let (usual, lower, idle) = (
      try WorkerPool(threads: 1, queueLimit: 1), try WorkerPool(threads: 1, queueLimit: 1, priority: .nice(7)),
      try WorkerPool(threads: 1, queueLimit: 1, priority: .idle)
    )
    let own = try await priority(of: usual)
    #expect(own.policy == SCHED_OTHER)
    #expect(try await priority(of: lower) == (policy: SCHED_OTHER, niceness: own.niceness + 7))
    let idlePolicy: Int32 = 5
    #expect(try await priority(of: idle).policy == idlePolicy)
    for pool in [usual, lower, idle] { pool.stop() }
  }

  /// Tells where it was released.
  private final class Released: Sendable {
    private let tell: @Sendable (pthread_t) -> Void

    init(_ tell: @escaping @Sendable (pthread_t) -> Void) { self.tell = tell }

    deinit { tell(pthread_self()) }
  }

  @Test func `a value is released on a thread of the pool`() async throws {
    let pool = try WorkerPool(threads: 1, queueLimit: 10)
    let worker = try await pool.run { pthread_self() }
    for _ in 0..<100 {
      await withCheckedContinuation { continuation in
        pool.release(
          Released { thread in
            #expect(thread == worker)
            continuation.resume()
          }
        )
      }
    }
    pool.stop()
  }

  @Test func `a value that has an owner is released on a thread of the pool after the owner`() async throws {
    let pool = try WorkerPool(threads: 1, queueLimit: 10)
    let worker = try await pool.run { pthread_self() }
    for _ in 0..<100 {
      await withCheckedContinuation { continuation in
        _ = WorkerReleased(
          Released { thread in
            #expect(thread == worker)
            continuation.resume()
          },
          by: pool
        )
      }
    }
    pool.stop()
  }

  @Test func `a value that was taken from its owner is released by who took it`() async throws {
    let pool = try WorkerPool(threads: 1, queueLimit: 10)
    let released = Counter()
    let here = pthread_self()
    let owner = WorkerReleased(
      Released { thread in
        #expect(thread == here)
        released.increment()
      },
      by: pool
    )
    #expect(owner.take() != nil)
    #expect(owner.take() == nil)
    #expect(released.count == 1)
    pool.stop()
  }

  @Test func `a pool that has stopped leaves the release to the caller`() async throws {
    let pool = try WorkerPool(threads: 1, queueLimit: 10)
    pool.stop()
    await withCheckedContinuation { continuation in pool.release(Released { _ in continuation.resume() }) }
  }

  @Test func `work beyond the limit is rejected immediately`() async throws {
    let pool = try WorkerPool(threads: 1, queueLimit: 2)
    nonisolated(unsafe) let gate = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
    sem_init(gate, 0, 0)
    let started = Counter()
    let first = Task {
      try await pool.run {
        started.increment()
        sem_wait(gate)
      }
    }
    await started.wait(for: 1)
    // The only thread is busy: any two of the five can wait.
    let rejected = Counter()
    let done = Counter()
    let others = (0..<5).map { _ in
      Task {
        do {
          try await pool.run { done.increment() }
        } catch is WorkerPool.Overloaded {
          rejected.increment()
        }
      }
    }
    await rejected.wait(for: 3)
    #expect(done.count == 0)
    sem_post(gate)
    try await first.value
    for other in others { try await other.value }
    #expect(done.count == 2)
    #expect(rejected.count == 3)
    pool.stop()
    await #expect(throws: WorkerPool.Overloaded.self) { try await pool.run {} }
    sem_destroy(gate)
    gate.deallocate()
  }

  @Test func `work of a task that is cancelled before its turn is not run`() async throws {
    let pool = try WorkerPool(threads: 1, queueLimit: 2)
    nonisolated(unsafe) let gate = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
    sem_init(gate, 0, 0)
    let started = Counter()
    let running = Task {
      try await pool.runUnlessCancelled(in: .common) {
        started.increment()
        sem_wait(gate)
      }
    }
    await started.wait(for: 1)
    let run = Counter()
    let waiting = Task { try await pool.runUnlessCancelled(in: .common) { run.increment() } }
    while pool.waitingCount == 0 { await Task.yield() }
    waiting.cancel()
    // Work that has begun is finished.
    running.cancel()
    sem_post(gate)
    try await running.value
    await #expect(throws: CancellationError.self) { try await waiting.value }
    #expect(run.count == 0)
    pool.stop()
    sem_destroy(gate)
    gate.deallocate()
  }

  @Test func `much work over few threads is all done`() async throws {
    let pool = try WorkerPool(threads: 3, queueLimit: 10_000)
    let sum = try await withThrowingTaskGroup(of: Int.self) { group in
      for number in 1...1000 { group.addTask { try await pool.run { number } } }
      return try await group.reduce(0, +)
    }
    #expect(sum == 500_500)
    pool.stop()
  }
}
