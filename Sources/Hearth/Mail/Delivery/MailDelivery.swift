import EventLoop
import Logging
import Storage
import Synchronization

/// Sends the mails in the queue one after the other, and retries those that could not be sent (`QueueDelivery`). A mail
/// is claimed in the database before (`QueuedMail.take`), so that two processes never send it.
final class MailDelivery: Sendable {
  /// Composes the message of a queued mail. Returns nil when the mail is not needed any more.
  typealias Compose = @Sendable (QueuedMail, DatedWrite) throws -> MailMessage?

  private let database: Database
  private let clock: Clock
  private let log: Logger
  private let compose: Compose
  private let transport: any MailTransport
  /// A thread on which sending may block.
  private let worker: WorkerPool
  /// Nil if mails stay in the queue.
  private let delivery: QueueDelivery?
  private let failure = Mutex<String?>(nil)
  private let isTesting = Atomic<Bool>(false)

  /// Starts with the mails that were left by the last run.
  ///
  /// - Parameter delivers: whether the mails of the queue are sent.
  init(
    _ queue: MailQueue,
    in environment: WorkEnvironment,
    transport: any MailTransport,
    delivers: Bool = true,
    compose: @escaping Compose
  ) throws {
    database = environment.database
    clock = environment.clock
    log = environment.log
    self.compose = compose
    self.transport = transport
    // For a mail of the queue and a test.
    worker = try WorkerPool(threads: 1, queueLimit: 2)
    delivery =
      delivers
      ? QueueDelivery("mail", in: environment, signal: queue.signal, dueTimes: QueuedMail.dueTimes) : nil
    delivery?.start { [self] now in try await sendNext(at: now) }
  }

  /// Returns when the current mail is sent or cancelled. Waiting mails are sent after the next start.
  func stop() async {
    guard let delivery else { return transport.stop() }
    await delivery.stop { transport.stop() }
  }

  /// Why the last mail could not be sent; nil once a mail was sent again.
  var lastFailure: String? { failure.withLock { $0 } }

  /// Sends a mail that is not in the queue.
  ///
  /// - Throws: `MailFailure`, also while another test is running.
  func sendTest(_ message: MailMessage) async throws {
    guard !isTesting.exchange(true, ordering: .relaxed) else {
      throw MailFailure(description: "Another test is still running.")
    }
    defer { isTesting.store(false, ordering: .relaxed) }
    let transport = transport
    // Files of an outbox are numbered by the queue from 1.
    try await worker.run { try transport.send(message, sequence: 0) }
  }

  /// Returns after one attempt for every mail that is due now.
  func deliver() async { await delivery?.deliver() }

  private enum Taken: Sendable {
    case mail(QueuedMail, MailMessage)
    /// It is not needed any more.
    case dropped
    case nothing(nextDue: Int64?)
  }

  /// Sends the mail whose turn it is.
  private func sendNext(at now: Int64) async throws -> QueueDelivery.Step {
    switch try await take(at: now) {
    case .mail(let mail, let message): try await send(message, of: mail, takenAt: now)
    case .dropped: break
    case .nothing(let nextDue): return .waits(until: nextDue)
    }
    return .attempted
  }

  private func take(at now: Int64) async throws -> Taken {
    let compose = compose
    return try await database.write { transaction in
      guard let mail = try QueuedMail.take(at: now, in: transaction) else {
        return .nothing(nextDue: try QueuedMail.nextDue(after: now, in: transaction))
      }
      guard let message = try compose(mail, DatedWrite(at: Timestamp(now), in: transaction)) else {
        try mail.drop(transaction)
        return .dropped
      }
      return .mail(mail, message)
    }
  }

  private func send(_ message: MailMessage, of mail: QueuedMail, takenAt moment: Int64) async throws {
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
      // Only after an attempt, because the server itself can have been down for days. What it cancels when it stops was
      // not an attempt.
      if mail.isOverdue(at: moment), !Task.isCancelled {
        log.error("A mail could not be sent for days.", metadata: ["mail": "\(mail.id)", "reason": "\(failure)"])
        let now = clock.now()
        return try await database.write { transaction in try mail.markFailed(at: now, in: transaction) }
      }
      log.warning(
        "A mail could not be sent and will be tried again.",
        metadata: ["mail": "\(mail.id)", "attempt": "\(mail.attempts + 1)", "reason": "\(failure)"]
      )
      return try await database.write { transaction in try mail.retry(after: moment, in: transaction) }
    }
    let sentAt = clock.now()
    try await delivery?.record(sent: { transaction in try mail.markSent(at: sentAt, in: transaction) })
  }
}
