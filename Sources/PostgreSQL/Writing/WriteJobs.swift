import Basics
import Synchronization

/// A task of a writer's thread.
struct WriteJob: Sendable {
  enum Work: Sendable {
    case write(QueuedWrite)
    case other(@Sendable (WriteWorker) -> Void)
  }

  private(set) var deadline: ContinuousClock.Instant
  let work: Work
  let fail: @Sendable (PostgreSQLError) -> Void
  /// How many writes may share a transaction with this one, itself included. Fewer after a transaction that it shared
  /// was rolled back.
  var groupLimit = Int.max
  /// The conflicts of earlier executions of the write by itself; nil if there were none.
  private(set) var conflicts: WriteConflicts?

  /// The write, if it can share a transaction.
  var groupable: QueuedWrite? {
    if case .write(let write) = work, groupLimit > 1 { write } else { nil }
  }

  /// The lowest key of what the write is about.
  var firstKey: Int64 { if case .write(let write) = work { write.domain.keys.first ?? .min } else { .min } }

  func limited(to count: Int) -> WriteJob {
    var job = self
    job.groupLimit = count
    return job
  }

  /// The job that runs the write again, by itself.
  func repeated(after conflicts: WriteConflicts) -> WriteJob {
    var job = limited(to: 1)
    job.conflicts = conflicts
    job.deadline = conflicts.end
    return job
  }
}

/// The jobs that wait for the thread, in their order. Those that have waited too long are rejected: a write that is
/// repeated with those before it, which can have later deadlines.
final class WriteJobs: Sendable {
  private static let watchInterval = Duration.milliseconds(250)

  private let limit: Int
  private let queue: BlockingQueue<WriteJob>
  private let counts: WriteCounts
  /// Whether a task removes the jobs that have waited too long.
  private let isWatched = Atomic<Bool>(false)

  init(limit: Int, _ counts: WriteCounts) {
    self.limit = limit
    self.counts = counts
    queue = BlockingQueue(limit: limit)
  }

  var count: Int { queue.count }

  func append(_ job: WriteJob) {
    do throws(QueueRejection) {
      try queue.append(job)
      watch()
    } catch {
      switch error {
      case .closed: job.fail(PostgreSQLError(.closed, message: "The database is closed."))
      case .full:
        counts.add(\.rejected)
        job.fail(PostgreSQLError(.overloaded, message: "\(limit) writes are waiting already."))
      }
    }
  }

  /// Waits for jobs and removes at most `most` of them. Returns nil when the queue is closed and empty.
  func next(atMost most: Int) -> [WriteJob]? {
    guard let jobs = queue.next(atMost: most) else { return nil }
    let now = ContinuousClock.now
    for job in jobs where job.deadline <= now { reject(job) }
    return jobs.filter { $0.deadline > now }
  }

  /// Inserts removed jobs in front.
  func putBack(_ jobs: [WriteJob]) {
    guard !jobs.isEmpty else { return }
    queue.putBack(jobs)
    watch()
  }

  /// Inserts a removed job behind the others.
  func putBackLast(_ job: WriteJob) {
    queue.putBackLast(job)
    watch()
  }

  func close() { queue.close() }

  private func reject(_ job: WriteJob) {
    counts.add(\.rejected)
    job.fail(PostgreSQLError(.overloaded, message: "The write has waited too long for the connection."))
  }

  /// Rejects the queued jobs that have waited too long, also while the thread waits for the server.
  private func watch() {
    guard !isWatched.exchange(true, ordering: .acquiringAndReleasing) else { return }
    Task { [self] in
      repeat {
        try? await Task.sleep(for: Self.watchInterval)
        let now = ContinuousClock.now
        for job in queue.removeFirst(while: { $0.deadline <= now }) { reject(job) }
      } while queue.count > 0
      isWatched.store(false, ordering: .releasing)
      // A job may have been added since the queue was empty.
      if queue.count > 0 { watch() }
    }
  }
}
