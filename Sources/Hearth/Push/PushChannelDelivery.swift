import EventLoop
import Logging
import Storage
import Synchronization

/// Sends the pushes of one channel, several at a time, and retries those that could not be sent (`QueueDelivery`).
/// Channels do not wait for each other.
///
/// While the service of a channel is down, nothing is read or written for it: the channel pauses for some seconds, then
/// tries one push, and pauses for twice as long.
final class PushChannelDelivery: Sendable {
  /// Decides what to do with a push that is due, in the write that takes it from the queue.
  typealias Compose = @Sendable (QueuedPush, _ now: Int64, Reader) throws -> PushDecision

  private struct State {
    /// The number of batches in succession that ended with an outage.
    var outages: Int64 = 0
    var pausedUntil: Int64 = 0
    var lastFailure: String?
    var sent = 0
    var failedAttempts = 0
    var expiredDevices = 0
  }

  /// What operators see.
  struct Counts: Sendable {
    let sent: Int
    let failedAttempts: Int
    let expiredDevices: Int
    let lastFailure: String?
    /// Nil if the channel is not paused.
    let pausedUntil: Int64?
  }

  private static let overdue = "It could not be delivered for days."
  private static let batch = 32
  private static let threads = 4

  let channel: PushChannel
  private let signal: QueueSignal
  private let database: Database
  private let clock: Clock
  private let log: Logger
  private let sender: any PushSender
  private let compose: Compose
  private let worker: WorkerPool
  private let state = Mutex(State())
  private let delivery: QueueDelivery

  /// Starts with the pushes that were left by the last run.
  init(
    _ channel: PushChannel,
    in environment: WorkEnvironment,
    signal: QueueSignal,
    sender: any PushSender,
    compose: @escaping Compose
  ) throws {
    self.channel = channel
    self.signal = signal
    database = environment.database
    clock = environment.clock
    log = environment.log
    self.sender = sender
    self.compose = compose
    worker = try WorkerPool(threads: Self.threads, queueLimit: Self.batch)
    delivery = QueueDelivery(
      "push \(channel.name)",
      in: environment,
      signal: signal,
      dueTimes: [QueuedPush.earliest(on: channel)]
    )
    delivery.start { [self] now in try await sendNext(at: now) }
  }

  /// Returns when what is being sent is sent or cancelled.
  func stop() async { await delivery.stop { sender.stop() } }

  var counts: Counts {
    let now = clock.now()
    return state.withLock { state in
      Counts(
        sent: state.sent,
        failedAttempts: state.failedAttempts,
        expiredDevices: state.expiredDevices,
        lastFailure: state.lastFailure,
        pausedUntil: OutagePause.isOver(state.pausedUntil, at: now) ? nil : state.pausedUntil
      )
    }
  }

  /// Ends a pause, as an operator does who has corrected something.
  func resume() {
    state.withLock { $0.pausedUntil = 0 }
    signal.wake()
  }

  /// Returns after one attempt for every push that is due now, if the channel is not paused.
  func deliver() async { await delivery.deliver() }

  /// Sends a batch of what is due, or one push after an outage: that with the fewest attempts, because one that has
  /// often failed can have a reason of its own.
  private func sendNext(at now: Int64) async throws -> QueueDelivery.Step {
    let (pausedUntil, isProbing) = state.withLock { ($0.pausedUntil, $0.outages > 0) }
    guard OutagePause.isOver(pausedUntil, at: now) else { return .waits(until: pausedUntil) }
    let taken = try await take(isProbing: isProbing, at: now)
    guard taken.count > 0 else { return .waits(until: taken.nextDue) }
    try await record(await attempt(taken.messages, takenAt: now), takenAt: now)
    return .attempted
  }

  private struct Taken: Sendable {
    var messages: [(push: QueuedPush, message: PushMessage)] = []
    /// With those that are not sent now.
    var count = 0
    var nextDue: Int64?
  }

  private func take(isProbing: Bool, at now: Int64) async throws -> Taken {
    let (channel, compose) = (channel, compose)
    return try await database.write { transaction in
      var taken = Taken()
      var pushes = try QueuedPush.due(on: channel, atMost: Self.batch, at: now, in: transaction)
      if isProbing, let probe = pushes.min(by: { $0.attempts < $1.attempts }) { pushes = [probe] }
      for push in pushes {
        taken.count += 1
        guard !push.isOfExpiredSession(at: now) else {
          try push.remove(transaction)
          continue
        }
        // A device does not get old news. The webhook gets everything: the server itself can have been down for days.
        guard channel == .webhook || !push.isOverdue(at: now) else {
          try push.markFailed(Self.overdue, at: now, in: transaction)
          continue
        }
        switch try compose(push, now, transaction.reader) {
        case .send(let message):
          try push.beginAttempt(at: now, in: transaction)
          taken.messages.append((push, message))
        case .drop: try push.remove(transaction)
        case .hold(let moment): try push.hold(until: max(moment, now + 1), in: transaction)
        }
      }
      if taken.count == 0 { taken.nextDue = try QueuedPush.nextDue(on: channel, after: now, in: transaction) }
      return taken
    }
  }

  /// An attempt was not made if there was no time for it.
  private typealias Attempt = (push: QueuedPush, outcome: PushOutcome, wasMade: Bool)

  private func attempt(
    _ messages: [(push: QueuedPush, message: PushMessage)],
    takenAt moment: Int64
  ) async -> [Attempt] {
    let (worker, sender, clock) = (worker, sender, clock)
    // Sending that began later could still go on when another process takes the push.
    let end = moment + QueuedPush.claim - sender.longestSending - 2_000
    return await withTaskGroup(of: Attempt.self) { group in
      for (push, message) in messages {
        group.addTask {
          do {
            let outcome = try await worker.run {
              clock.now() < end ? sender.send(message, to: push, at: clock.now()) : nil
            }
            return (push, outcome ?? .failed("The service is too slow.", isOutage: false), outcome != nil)
          } catch {
            return (push, .failed("Too much is being sent.", isOutage: false), false)
          }
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
  }

  private func record(_ attempts: [Attempt], takenAt moment: Int64) async throws {
    guard !attempts.isEmpty else { return }
    let now = clock.now()
    note(attempts, at: now)
    let sent: [QueuedPush] = attempts.compactMap { push, outcome, _ in if case .sent = outcome { push } else { nil } }
    // What the server cancels when it stops was not an attempt.
    let isStopping = Task.isCancelled
    let recordSent: QueueDelivery.Write = { transaction in for push in sent { try push.remove(transaction) } }
    try await delivery.record(sent: sent.isEmpty ? nil : recordSent) { transaction in
      for (push, outcome, wasMade) in attempts {
        switch outcome {
        case .deviceExpired: try transaction.run(QueuedPush.deleteDevice, push.device)
        case .rejected(let failure): try push.markFailed(failure, at: now, in: transaction)
        case .failed:
          if wasMade, !isStopping, push.isOverdue(at: moment) {
            try push.markFailed(Self.overdue, at: now, in: transaction)
          }
        case .sent: break
        case .postponed(let moment): try push.hold(until: moment, in: transaction)
        }
      }
    }
  }

  private func note(_ attempts: [Attempt], at now: Int64) {
    // What was postponed or had no time does not tell whether the service works, nor does Apple's sandbox, which is
    // another service.
    let isAnyAttempted = attempts.contains { push, outcome, wasMade in
      if case .postponed = outcome { false } else { wasMade && !push.isSandbox }
    }
    var (isAnySent, isServiceUp) = (false, false)
    var outage: (failure: String, retryAfter: Int64?)?
    state.withLock { state in
      for (push, outcome, _) in attempts {
        switch outcome {
        case .sent:
          state.sent += 1
          isAnySent = true
          if !push.isSandbox { isServiceUp = true }
        case .deviceExpired: state.expiredDevices += 1
        case .rejected(let failure):
          state.failedAttempts += 1
          state.lastFailure = failure
        case .failed(let failure, let isOutage, let retryAfter):
          state.failedAttempts += 1
          state.lastFailure = failure
          if isOutage { outage = (failure, retryAfter) }
        case .postponed: break
        }
      }
      if let outage, !isServiceUp {
        state.pausedUntil = now + OutagePause.length(after: state.outages, retryAfter: outage.retryAfter)
        state.outages += 1
      } else if outage == nil {
        if isAnyAttempted { state.outages = 0 }
        if isAnySent { state.lastFailure = nil }
      }
    }
    if let outage {
      log.warning(
        "Notifications could not be sent and will be tried again.",
        metadata: ["channel": "\(channel.name)", "reason": "\(outage.failure)"]
      )
    }
  }
}
