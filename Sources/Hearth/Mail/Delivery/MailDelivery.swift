import EventLoop
import Logging
import Storage
import Synchronization

/// Sends what is in the queue, one mail after the other: at once, and again later what could not be sent. A mail is
/// sent at least once: one whose sending was not noted before the process ended is sent again.
final class MailDelivery: Sendable {
  /// Composes the message of a mail in the queue, or returns nil if the mail has become pointless.
  typealias Compose = @Sendable (QueuedMail, _ now: Int64, WriteTransaction) throws -> Message?

  private let queue: MailQueue
  private let database: Database
  private let clock: Clock
  private let log: Logger
  private let compose: Compose
  private let transport: any MailTransport
  /// One thread, on which sending may block.
  private let worker: WorkerPool
  private let task = Mutex<Task<Void, Never>?>(nil)
  private let waiting = Mutex<[CheckedContinuation<Void, Never>]>([])

  /// Begins with what is left of the last time.
  init(
    _ queue: MailQueue,
    _ database: Database,
    clock: Clock,
    log: Logger,
    transport: any MailTransport,
    compose: @escaping Compose
  ) throws {
    self.queue = queue
    self.database = database
    self.clock = clock
    self.log = log
    self.compose = compose
    self.transport = transport
    worker = try WorkerPool(threads: 1, queueLimit: 1)
    queue.wake()
    task.withLock { $0 = Task { await run() } }
  }

  /// Returns when the mail that is being sent is sent, or is broken off. What waits is there at the next start.
  func stop() async {
    queue.close()
    let task = task.withLock { $0 }
    task?.cancel()
    transport.stop()
    await task?.value
  }

  /// Returns when everything that is due now has been tried.
  func deliver() async {
    await withCheckedContinuation { caller in
      waiting.withLock { $0.append(caller) }
      queue.wake()
    }
  }

  private func run() async {
    var alarm: Task<Void, Never>?
    for await _ in queue.wakes {
      let callers = waiting.withLock { waiting in
        defer { waiting = [] }
        return waiting
      }
      alarm?.cancel()
      let nextDue = await sendAllDue()
      for caller in callers { caller.resume() }
      alarm = nextDue.map { moment in
        let delay = max(moment - clock.now(), 1000)
        let queue = queue
        return Task {
          do { try await Task.sleep(for: .milliseconds(delay)) } catch { return }
          queue.wake()
        }
      }
    }
    alarm?.cancel()
    for caller in waiting.withLock({ $0 }) { caller.resume() }
  }

  private enum Step: Sendable {
    case send(QueuedMail, Message)
    case dropped(QueuedMail, isOverdue: Bool)
    /// There is nothing to do until a moment, where there is one.
    case done(Int64?)
  }

  /// When the next mail is due.
  private func sendAllDue() async -> Int64? {
    while !Task.isCancelled {
      do {
        switch try await nextStep() {
        case .send(let mail, let message): try await send(message, of: mail)
        case .dropped(let mail, let isOverdue):
          if isOverdue {
            log.error("A mail could not be sent for days and was given up.", metadata: ["mail": "\(mail.id)"])
          }
        case .done(let moment): return moment
        }
      } catch {
        // The data is being closed, or is in trouble: the mails are still there.
        log.error("The mails that wait could not be read or noted.", metadata: ["error": "\(error)"])
        return clock.now() + 60_000
      }
    }
    return nil
  }

  private func nextStep() async throws -> Step {
    let now = clock.now()
    let compose = compose
    return try await database.write { transaction in
      guard let mail = try QueuedMail.take(at: now, transaction) else {
        return .done(try QueuedMail.nextDue(after: now, transaction))
      }
      let isOverdue = mail.isOverdue(at: now)
      guard !isOverdue, let message = try compose(mail, now, transaction) else {
        try mail.drop(transaction)
        return .dropped(mail, isOverdue: isOverdue)
      }
      return .send(mail, message)
    }
  }

  private func send(_ message: Message, of mail: QueuedMail) async throws {
    let transport = transport
    do {
      try await worker.run { try transport.send(message, sequence: mail.id) }
    } catch let failure as MailFailure where failure.isPermanent {
      log.error("A mail was refused for good.", metadata: ["mail": "\(mail.id)", "reason": "\(failure)"])
      let now = clock.now()
      return try await database.write { transaction in try mail.markFailed(at: now, transaction) }
    } catch let failure as MailFailure {
      log.warning(
        "A mail could not be sent, and will be tried again.",
        metadata: ["mail": "\(mail.id)", "attempt": "\(mail.attempts + 1)", "reason": "\(failure)"]
      )
      return
    }
    let now = clock.now()
    try await database.write { transaction in try mail.markSent(at: now, transaction) }
  }
}
