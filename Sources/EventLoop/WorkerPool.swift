import Basics
import Glibc
import Synchronization

/// A few threads for work that would hold up a loop, such as hashing a password. The queue is bounded: when it is full,
/// work is rejected at once rather than late. Lanes take turns, see `FairQueue`.
package final class WorkerPool: Sendable {
  /// The queue, or the lane's share of it, is full: try again later.
  package struct Overloaded: Error, Equatable {
    package init() {}
  }

  private let queue: WorkQueue
  private let threads: Mutex<[SystemThread]>

  /// - Parameters:
  ///   - queueLimit: how much work may wait, besides what is being done.
  ///   - laneLimit: how much work of one lane may wait; by default as much as the queue holds.
  ///   - niceness: the nice value of the threads, from 0 to 19. Use it for long work that must not delay the loops.
  package init(
    threads count: Int,
    queueLimit: Int,
    laneLimit: Int? = nil,
    niceness: Int32 = 0
  ) throws(SystemError) {
    // Without a limit of its own a lane may also fill the room that idle threads are about to make.
    let queue = WorkQueue(limit: queueLimit, laneLimit: laneLimit.map { max($0, 1) } ?? .max)
    self.queue = queue
    var threads: [SystemThread] = []
    do throws(SystemThread.StartError) {
      for index in 0..<max(count, 1) {
        let thread = try SystemThread(name: "worker-\(index)") {
          // On Linux this is of the thread that calls it alone.
          if niceness > 0 { _ = nice(niceness) }
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
    queue.close()
    threads.withLock { threads in
      for thread in threads { thread.detach() }
    }
  }

  /// Does `work` on one of the threads and returns its result to where the caller runs.
  /// - Throws: `Overloaded`, at once or when another lane displaces the work, or what `work` throws.
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

  /// How much work waits, besides what is being done.
  package var waitingCount: Int { queue.count }

  /// Finishes what is queued, rejects what comes after, and waits for the threads to end.
  package func stop() {
    queue.close()
    threads.withLock { threads in
      for thread in threads { thread.join() }
      threads = []
    }
  }
}
