import EventLoop
import Logging
import Storage
import Synchronization

/// Sends the mails in the queue one after the other, and retries those that could not be sent. Delivery is
/// at-least-once: a mail is sent again when the process ended before it recorded the delivery. If the database fails
/// meanwhile, the process remembers the delivery until it is recorded. Of several processes, the one with the lease
/// sends; a mail is claimed in the database before (`QueuedMail.take`), so that two never send it.
final class MailDelivery: Sendable {
  /// Composes the message of a queued mail. Returns nil when the mail is not needed any more.
  typealias Compose = @Sendable (QueuedMail, _ now: Int64, WriteTransaction) throws -> Message?

  private static let lease = "mail"

  private let queue: MailQueue
  private let leases: Leases
  private let database: Database
  private let clock: Clock
  private let log: Logger
  private let compose: Compose
  private let transport: any MailTransport
  /// A thread on which sending may block.
  private let worker: WorkerPool
  private let delivery: QueueDelivery
  /// The mail that was sent last, until the database has recorded it. No other one is taken before.
  private let sent = Mutex<(mail: QueuedMail, at: Int64)?>(nil)
  private let failure = Mutex<String?>(nil)
  private let isTesting = Atomic<Bool>(false)

  /// Starts with the mails that were left by the last run.
  init(
    _ queue: MailQueue,
    leases: Leases,
    database: Database,
    clock: Clock,
    log: Logger,
    transport: any MailTransport,
    compose: @escaping Compose
  ) throws {
    self.queue = queue
    self.leases = leases
    self.database = database
    self.clock = clock
    self.log = log
    self.compose = compose
    self.transport = transport
    // For a mail of the queue and a test.
    worker = try WorkerPool(threads: 1, queueLimit: 2)
    delivery = QueueDelivery { queue.wake() }
    leases.add(
      Leases.Work(name: Self.lease, dueTimes: QueuedMail.dueTimes) { dueAt in
        if dueAt <= clock.now() { queue.wake() }
      }
    )
    delivery.start(on: queue.wakes) { moment in
      try await Task.sleep(for: .milliseconds(max(moment - clock.now(), 1000)))
    } deliverAllDue: { [self] in
      await sendAllDue()
    }
  }

  /// Returns when the current mail is sent or cancelled. Waiting mails are sent after the next start.
  func stop() async {
    queue.close()
    delivery.cancel()
    transport.stop()
    await delivery.end()
  }

  /// Why the last mail could not be sent; nil once a mail was sent again.
  var lastFailure: String? { failure.withLock { $0 } }

  /// Sends a mail that is not in the queue.
  ///
  /// - Throws: `MailFailure`, also while another test is running.
  func sendTest(_ message: Message) async throws {
    guard !isTesting.exchange(true, ordering: .relaxed) else {
      throw MailFailure(description: "Another test is still running.")
    }
    defer { isTesting.store(false, ordering: .relaxed) }
    let transport = transport
    // Files of an outbox are numbered by the queue from 1.
    try await worker.run { try transport.send(message, sequence: 0) }
  }

  /// Returns after one attempt for every mail that is due now.
  func deliver() async { await delivery.deliver() }

  private enum Step: Sendable {
    case send(QueuedMail, Message, takenAt: Int64)
    case dropped(QueuedMail, isOverdue: Bool)
    /// Nothing is due until this moment; nil when no mail waits.
    case done(Int64?)
  }

  /// The time at which the next mail is due.
  private func sendAllDue() async -> Int64? {
    // Without the lease too: another process sends the mail again when its claim has ended.
    do { try await recordSent() } catch {
      // The first failure was logged.
      return clock.now() + QueueDelivery.recordingInterval
    }
    while !Task.isCancelled, leases.holds(Self.lease) {
      do {
        switch try await nextStep() {
        case .send(let mail, let message, let moment): try await send(message, of: mail, takenAt: moment)
        case .dropped(let mail, let isOverdue):
          if isOverdue {
            log.error("A mail could not be sent for days and was dropped.", metadata: ["mail": "\(mail.id)"])
          }
        case .done(let moment): return moment
        }
      } catch {
        // The database is being closed or cannot be used. The mails are still in it.
        log.error("The mail queue could not be read or updated.", metadata: ["error": "\(error)"])
        let isRecorded = sent.withLock { $0 == nil }
        return clock.now() + (isRecorded ? QueueDelivery.retryInterval : QueueDelivery.recordingInterval)
      }
    }
    return nil
  }

  private func nextStep() async throws -> Step {
    let now = clock.now()
    let compose = compose
    return try await database.write { transaction in
      guard let mail = try QueuedMail.take(at: now, in: transaction) else {
        return .done(try QueuedMail.nextDue(after: now, in: transaction))
      }
      let isOverdue = mail.isOverdue(at: now)
      guard !isOverdue, let message = try compose(mail, now, transaction) else {
        try mail.drop(transaction)
        return .dropped(mail, isOverdue: isOverdue)
      }
      return .send(mail, message, takenAt: now)
    }
  }

  private func send(_ message: Message, of mail: QueuedMail, takenAt moment: Int64) async throws {
    let (transport, clock) = (transport, clock)
    do {
      try await worker.run {
        // The write that took it, or a test, can have taken long. Another process may be about to send it.
        guard clock.now() < moment + QueuedMail.longestWait else {
          throw MailFailure(description: "It has waited too long for its turn.")
        }
        try transport.send(message, sequence: mail.id)
      }
      failure.withLock { $0 = nil }
    } catch let failure as MailFailure where failure.isPermanent {
      self.failure.withLock { $0 = failure.description }
      log.error("A mail was rejected permanently.", metadata: ["mail": "\(mail.id)", "reason": "\(failure)"])
      let now = clock.now()
      return try await database.write { transaction in try mail.markFailed(at: now, in: transaction) }
    } catch let failure as MailFailure {
      self.failure.withLock { $0 = failure.description }
      log.warning(
        "A mail could not be sent and will be tried again.",
        metadata: ["mail": "\(mail.id)", "attempt": "\(mail.attempts + 1)", "reason": "\(failure)"]
      )
      return try await database.write { transaction in try mail.retry(after: moment, in: transaction) }
    }
    sent.withLock { $0 = (mail, clock.now()) }
    try await recordSent()
  }

  private func recordSent() async throws {
    guard let (mail, moment) = sent.withLock({ $0 }) else { return }
    try await database.write { transaction in try mail.markSent(at: moment, in: transaction) }
    sent.withLock { $0 = nil }
  }
}
