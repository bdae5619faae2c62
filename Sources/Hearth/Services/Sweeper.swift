import Logging
import Storage
import Synchronization

/// Sweeps away what is over: sessions, secrets that were good once, mail that was sent, memberships of groups that are
/// gone, rejections, events that were kept for those who were away. Once an hour, and a little at a time, so that no
/// write waits long for it.
final class Sweeper: Sendable {
  /// For how long somebody who comes too late is told so, rather than that there is no such thing. In milliseconds.
  static let memory: Int64 = 30 * 86_400_000
  static let maximumAtOnce: Int64 = 500
  /// What the statement of a sweep is given: it deletes at most `limit` rows, those from before a time.
  typealias Portion = (before: Timestamp, limit: Int64)
  private static let interval: Int64 = 3_600_000

  private let database: Database
  private let clock: Clock
  private let log: Logger
  private let task = Mutex<Task<Void, Never>?>(nil)

  init(_ database: Database, clock: Clock, log: Logger) {
    self.database = database
    self.clock = clock
    self.log = log
  }

  func start() {
    task.withLock { task in
      task = Task {
        while !Task.isCancelled {
          let now = clock.now()
          await sweep(at: now)
          do { try await clock.sleep(until: now + Self.interval) } catch { return }
        }
      }
    }
  }

  /// Returns when it is at rest.
  func stop() async {
    let task = task.withLock { $0 }
    task?.cancel()
    await task?.value
  }

  private func sweep(at now: Int64) async {
    do {
      let remembered = [
        Sessions.sweep, OneTimeToken.sweep, QueuedMail.sweep, Membership.sweep, Membership.sweepGroups,
        ContactRejection.sweep, GroupJoinRequest.sweep, GroupExclusion.sweep, GroupExclusion.sweepEnded,
        FamilyInvitationRow.sweep, EndedParentRemoval.sweep,
      ]
      for (statement, length) in remembered.map({ ($0, Self.memory) }) + [(FeedWindow.sweep, FeedWindow.length)] {
        let portion: Portion = (before: Timestamp(now - length), limit: Self.maximumAtOnce)
        try await delete { transaction in try transaction.run(statement, portion) }
      }
    } catch let error as DatabaseError where error.code == .closed {
      return
    } catch {
      log.error("What is over could not be swept away.", metadata: ["error": "\(error)"])
    }
  }

  /// Runs `portion` until nothing is left to delete, each time in a write of its own.
  private func delete(_ portion: @escaping @Sendable (WriteTransaction) throws -> Void) async throws {
    var isDone = false
    while !isDone && !Task.isCancelled {
      isDone = try await database.write { transaction in
        try portion(transaction)
        return transaction.changedRows < Self.maximumAtOnce
      }
    }
  }
}
