import Basics
import Glibc
import Synchronization

/// A pool of threads for work that would block a loop, such as hashing a password. The queue is bounded: when it is
/// full, work is rejected immediately instead of late. Lanes take turns: see `FairQueue`.
package final class WorkerPool: Sendable {
  /// The queue, or the lane's share of it, is full: try again later.
  package struct Overloaded: Error, Equatable {
    package init() {}
  }

  /// The priority of the threads. Linux sets it for each thread.
  package enum Priority: Sendable {
    /// The priority of the loops.
    case usual
    /// A nice value from 1 to 19: for work of milliseconds that usual requests wait for.
    case nice(Int32)
    /// `SCHED_IDLE`: for long work, which gets about 0.3 % of a processor while other threads use all of it. Any other
    /// thread that wakes has the processor at once, while a thread with a nice value can keep it for milliseconds.
    case idle

    /// `SCHED_IDLE` of Linux, which Glibc's header has for GNU sources only.
    private static let idlePolicy: Int32 = 5

    fileprivate func applyToCurrentThread() {
      switch self {
      case .usual: break
      case .nice(let value): _ = Glibc.nice(value)
      case .idle:
        var parameters = sched_param()
        sched_setscheduler(0, Self.idlePolicy, &parameters)
      }
    }
  }

  private let queue: WorkQueue
  private let threads: Mutex<[SystemThread]>

  /// - Parameters:
  ///   - count: The number of threads; at least one is started.
  ///   - queueLimit: The maximum number of queued work items, without those that are running.
  ///   - laneLimit: The maximum for one lane; by default that of the queue.
  ///   - priority: The priority of the threads.
  package init(
    threads count: Int,
    queueLimit: Int,
    laneLimit: Int? = nil,
    priority: Priority = .usual
  ) throws(SystemError) {
    // A lane without a limit of its own can also fill the room that idle threads are about to make.
    let queue = WorkQueue(limit: queueLimit, laneLimit: laneLimit.map { max($0, 1) } ?? .max)
    self.queue = queue
    var threads: [SystemThread] = []
    do throws(SystemThread.StartError) {
      for index in 0..<max(count, 1) {
        let thread = try SystemThread(name: "worker-\(index)") {
          priority.applyToCurrentThread()
          while let work = queue.next() { work() }
        }
        threads.append(thread)
      }
    } catch {
      queue.close()
      for thread in threads { thread.join() }
      throw SystemError(error.code, during: "starting a thread")
    }
    self.threads = Mutex(threads)
  }

  deinit {
    threads.withLock { threads in
      for thread in threads { thread.detach() }
    }
    // After that, because the threads end when the queue is closed and empty.
    queue.close()
  }

  /// Runs `work` on one of the threads and returns its result on the caller's executor.
  ///
  /// - Throws: `Overloaded`, immediately or when another lane displaces the work, or the error of `work`.
  package func run<Result: Sendable>(
    in lane: WorkLane = .common,
    _ work: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    try await withUnsafeThrowingContinuation { continuation in
      queue.append(
        WorkQueue.Work(
          perform: { continuation.resume(with: Swift.Result { try work() }) },
          reject: { continuation.resume(throwing: Overloaded()) }
        ),
        to: lane
      )
    }
  }

  /// Runs `work` like `run(in:_:)`, unless the calling task is cancelled before its turn: the client of a request that
  /// waits has gone.
  ///
  /// - Throws: `CancellationError` if the work was not run.
  package func runUnlessCancelled<Result: Sendable>(
    in lane: WorkLane,
    _ work: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    let cancellation = Cancellation()
    return try await withTaskCancellationHandler {
      try await run(in: lane) {
        if cancellation.isRequested.load(ordering: .relaxed) { throw CancellationError() }
        return try work()
      }
    } onCancel: {
      cancellation.isRequested.store(true, ordering: .relaxed)
    }
  }

  private final class Cancellation: Sendable {
    let isRequested = Atomic(false)
  }

  /// Releases a value on one of the threads, because that takes long: of a tree of 20,000 values about 0.3 ms. If the
  /// queue is full, the value is released on the caller's thread.
  ///
  /// The caller must have the last reference.
  package func release<Value: Sendable>(_ value: consuming Value, in lane: WorkLane = .common) {
    let released = ReleasedValue(value)
    queue.append(WorkQueue.Work(perform: { released.take() }, reject: {}), to: lane)
  }

  /// The thread that takes the value has the last reference, whether or not the other one has left `append` by then.
  private final class ReleasedValue<Value: Sendable>: Sendable {
    private let value: Mutex<Value?>

    init(_ value: consuming Value) { self.value = Mutex(value) }

    func take() { _ = value.withLock { $0.take() } }
  }

  /// The number of queued work items, without those that are running.
  package var waitingCount: Int { queue.count }

  /// Finishes queued work, rejects later work, and waits for the threads to end.
  package func stop() {
    queue.close()
    threads.withLock { threads in
      for thread in threads { thread.join() }
      threads = []
    }
  }
}
