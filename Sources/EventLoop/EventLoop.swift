import Basics
import Bytes
import CLibUV
import Glibc
import Synchronization

/// A libuv loop and its thread, as a Swift executor: actors with the loop's executor, and tasks that prefer it, run on
/// its thread between its reads and writes.
///
/// A loop runs from its creation until `stop()`, which its creator must call. Jobs enqueued by its own thread go to a
/// queue without a lock, and those of other threads to the inbox, with one wake-up for all jobs that arrive before the
/// loop reads it. An idle loop sleeps in the kernel without a timeout.
package final class EventLoop: SerialExecutor, TaskExecutor {
  /// The number of jobs, and of nanoseconds, that a turn runs before the loop polls its sockets again: a task that
  /// yields lets other connections proceed. After callbacks that took longer, jobs have as much time as those, at most
  /// a tenth of a second, so that clients who keep the callbacks busy leave the jobs half of the loop's time.
  static let jobsPerTurn = 256
  private static let jobTimePerTurn: UInt64 = 200_000
  private static let maximumJobTime: UInt64 = 100_000_000

  /// The size of the read buffer. All streams of the loop share it, because each read is processed before the next.
  static let readBufferSize = 64 * 1024

  /// `pthread_self()` of the loop's thread, 0 if there is none.
  private let owner = Atomic<UInt>(0)
  private let inbox = Mutex(Inbox())
  private let thread = Mutex<SystemThread?>(nil)

  /// An eventfd that other threads write to when the inbox fills. It is open as long as this object lives.
  let wakeDescriptor = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))

  // The memory behind both pointers lives as long as the loop. Only the loop's thread accesses it. They are pointers
  // because stored properties of a class cost an exclusivity check per access. Hence the rule: no access to either
  // spans a call that can run foreign code.
  nonisolated(unsafe) let handles: UnsafeMutablePointer<OwnHandles>
  nonisolated(unsafe) let confined: UnsafeMutablePointer<Confined>

  /// Creates the loop and starts its thread. Debuggers and `top -H` show its `name`.
  package init(name: String = "loop") throws(SystemError) {
    Self.ignoreBrokenPipes
    handles = .allocate(capacity: 1)
    handles.initialize(to: OwnHandles())
    confined = .allocate(capacity: 1)
    confined.initialize(to: Confined())
    try initializeHandles()
    do throws(SystemThread.StartError) {
      let started = try SystemThread(name: name) { [self] in run() }
      thread.withLock { $0 = started }
    } catch {
      closeOwnHandles()
      throw SystemError(error.code, during: "starting a thread")
    }
  }

  deinit {
    thread.withLock { $0?.release() }
    if wakeDescriptor >= 0 { close(wakeDescriptor) }
    confined.deinitialize(count: 1)
    confined.deallocate()
    handles.deinitialize(count: 1)
    handles.deallocate()
  }

  // MARK: Executor

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    if isCurrent {
      confined.pointee.jobs.append(job)
    } else {
      enqueueFromOutside(job)
    }
  }

  package func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

  package func asUnownedTaskExecutor() -> UnownedTaskExecutor { UnownedTaskExecutor(ordinary: self) }

  package func checkIsolated() {
    precondition(isCurrent, "called off the loop's thread")
  }

  package func isIsolatingCurrentContext() -> Bool? { isCurrent }

  /// Whether the caller is on the loop's thread.
  package var isCurrent: Bool { owner.load(ordering: .relaxed) == UInt(pthread_self()) }

  /// Runs `body` on the loop's thread and waits for its result.
  package func run<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
    try await Task(executorPreference: self) { try body() }.value
  }

  // MARK: State that belongs to the loop's thread

  /// Milliseconds of a monotonic clock that is read once per turn: cheap, and accurate enough for timeouts.
  package var now: UInt64 {
    checkIsolated()
    return uv_now(uvLoop)
  }

  /// Whether the callbacks of this turn have taken so long that other connections should be served first.
  package var hasLongTurn: Bool { uv_hrtime() / 1_000_000 > now + 5 }

  /// The number of streams, timers, listeners and signal watchers that are open or closing.
  package var openHandleCount: Int {
    checkIsolated()
    return confined.pointee.openHandleCount
  }

  /// Whether the loop is stopping. Handles that are opened now are closed immediately.
  package var isStopping: Bool {
    checkIsolated()
    return confined.pointee.isStopping
  }

  var uvLoop: UnsafeMutablePointer<uv_loop_t> {
    // The loop is the structure's first member.
    UnsafeMutableRawPointer(handles).assumingMemoryBound(to: uv_loop_t.self)
  }

  /// Seconds since 1970 by the wall clock.
  package static var secondsSinceEpoch: Int64 { Int64(time(nil)) }

  // MARK: Stopping

  /// Stops the loop: it closes its open handles, notifies their owners, runs the remaining jobs and ends.
  package func stop() {
    inbox.withLock { inbox in
      guard inbox.phase == .running else { return }
      inbox.phase = .stopping
      wake()
    }
  }

  /// Waits until the loop has ended. Must not be called on a loop's thread.
  package func join() {
    precondition(!isCurrent, "a loop cannot wait for itself")
    thread.withLock { thread in
      thread?.join()
      thread = nil
    }
  }
}

// MARK: - The loop's thread

extension EventLoop {
  /// Writing to a connection that the peer has closed must return an error instead of terminating the process with
  /// SIGPIPE.
  private static let ignoreBrokenPipes: Void = { _ = signal(SIGPIPE, SIG_IGN) }()

  private func run() {
    owner.store(UInt(pthread_self()), ordering: .relaxed)
    uv_run(uvLoop, UV_RUN_DEFAULT)
    closeEverything()
    runLateJobs()
  }

  /// Runs after the callbacks of a turn, before the loop sleeps: first the jobs, then the writes that they requested.
  func finishTurn() {
    confined.pointee.bulkReads.beginTurn()
    resumeTurnWaiters()
    if !confined.pointee.continuingStreams.isEmpty {
      confined.pointee.continuingStreams.removeFirst().writeNextPortion()
    }
    var budget = Self.jobsPerTurn
    var end: UInt64 = 0
    // The clock is only read if there are jobs.
    if confined.pointee.hasWork {
      let (start, pollEnd) = (uv_hrtime(), confined.pointee.pollEnd)
      let callbackTime = (max(start / 1_000_000, pollEnd) - pollEnd) * 1_000_000
      let time = max(Self.jobTimePerTurn, min(callbackTime, Self.maximumJobTime))
      budget *= Int(time / Self.jobTimePerTurn)
      end = start + time
    }
    repeat {
      runJobs(&budget, until: end)
      flushCorkedStreams(&budget)
    } while budget > 0 && confined.pointee.hasWork && uv_hrtime() < end
    // Indices, because an iterator would retain the array.
    for index in confined.pointee.turnEndActions.indices { confined.pointee.turnEndActions[index]() }
    // An active idle handle keeps the loop from sleeping, so that the remaining jobs continue after one poll of the
    // sockets.
    if confined.pointee.hasNextTurn != confined.pointee.isIdleHandleActive {
      confined.pointee.isIdleHandleActive.toggle()
      setIdleHandle(active: confined.pointee.isIdleHandleActive)
    }
  }

  private func runJobs(_ budget: inout Int, until end: UInt64) {
    let serial = asUnownedSerialExecutor()
    let task = asUnownedTaskExecutor()
    while budget > 0, let job = confined.pointee.jobs.popFirst() {
      job.runSynchronously(isolatedTo: serial, taskExecutor: task)
      budget &-= 1
      if uv_hrtime() >= end { break }
    }
  }

  private func flushCorkedStreams(_ budget: inout Int) {
    // Only the current ones: a flush can cause its owner to write more, which must not continue without end.
    let count = confined.pointee.corkedStreams.count
    guard count > 0 else { return }
    for index in 0..<count {
      confined.pointee.corkedStreams[index]._withUnsafeGuaranteedRef { $0.turnDidFinish() }
    }
    confined.pointee.corkedStreams.removeFirst(count)
    budget &-= count
  }

  /// A stream that has closed is not flushed any more.
  func forgetCorked(_ stream: TCPStream) {
    let address = Unmanaged.passUnretained(stream).toOpaque()
    confined.pointee.corkedStreams.removeAll { $0.toOpaque() == address }
  }

  /// Has the stream write its next portion in a later turn, so that the loop serves other connections before.
  func continueNextTurn(_ stream: TCPStream) { confined.pointee.continuingStreams.append(stream) }

  /// Returns in the loop's next turn, after it has served the connections that are ready by then. `Task.yield()`
  /// returns in the same turn if that has only begun. Must be called on the loop's thread.
  package func waitForNextTurn() async {
    checkIsolated()
    guard !confined.pointee.isStopping else { return await Task.yield() }
    await withUnsafeContinuation { confined.pointee.turnWaiters.append($0) }
  }

  private func resumeTurnWaiters() {
    guard !confined.pointee.turnWaiters.isEmpty else { return }
    let waiters = confined.pointee.turnWaiters
    confined.pointee.turnWaiters = []
    for waiter in waiters { waiter.resume() }
  }

  func takeInbox() {
    let (jobs, phase) = inbox.withLock { inbox in
      let taken = inbox.jobs
      inbox.jobs = []
      return (taken, inbox.phase)
    }
    for job in jobs { confined.pointee.jobs.append(job) }
    if phase == .stopping { uv_stop(uvLoop) }
  }

  private func closeEverything() {
    confined.pointee.isStopping = true
    closeOpenHandles()
    // A task that yields endlessly must not keep the loop from ending: jobs left after this many turns run late.
    for _ in 0..<1000 where confined.pointee.openHandleCount > 0 || confined.pointee.hasNextTurn {
      uv_run(uvLoop, UV_RUN_NOWAIT)
    }
    inbox.withLock { inbox in
      inbox.phase = .ended
      inbox.isRunningLateJobs = true
    }
    closeOwnHandles()
    confined.pointee.turnEndActions = []
  }

  private func enqueueFromOutside(_ job: UnownedJob) {
    var isFirst = false
    let runHere = inbox.withLock { inbox -> Bool in
      inbox.jobs.append(job)
      guard inbox.phase == .ended else {
        isFirst = inbox.jobs.count == 1
        return false
      }
      guard !inbox.isRunningLateJobs else { return false }
      inbox.isRunningLateJobs = true
      return true
    }
    // Without the lock, which the loop takes as soon as it is awake.
    if isFirst { wake() }
    if runHere {
      // The jobs can release the last reference to the loop: the runtime does not retain an executor.
      let loop = Unmanaged.passRetained(self)
      defer { loop.release() }
      owner.store(UInt(pthread_self()), ordering: .relaxed)
      runLateJobs()
    }
  }

  /// Runs jobs that arrive after the loop has ended, on the thread that enqueues them, one at a time: a task that was
  /// suspended elsewhere when the loop stopped still finishes, and its waiters are resumed.
  private func runLateJobs() {
    while true {
      takeInbox()
      var budget = Int.max
      runJobs(&budget, until: .max)
      let isDone = inbox.withLock { inbox -> Bool in
        guard inbox.jobs.isEmpty else { return false }
        owner.store(0, ordering: .relaxed)
        inbox.isRunningLateJobs = false
        return true
      }
      if isDone { return }
    }
  }
}
