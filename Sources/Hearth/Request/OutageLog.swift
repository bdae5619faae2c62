import Logging
import Storage
import Synchronization

/// Logs an outage of the database, or of the files beside it, once, however many requests fail meanwhile, and its end
/// with their numbers.
final class OutageLog: Sendable {
  /// What fails.
  enum Failure: String, CaseIterable {
    case read = "The database cannot be read."
    case slowRead = "The database took too long for a read."
    case write = "A write could not be stored."
    case largeWrite = "A write changed more than one write may."
    case unknownOutcome = "It is unknown whether a write was stored."

    /// In the entry of the end.
    fileprivate var count: String {
      switch self {
      case .read: "failedReads"
      case .slowRead: "slowReads"
      case .write: "failedWrites"
      case .largeWrite: "largeWrites"
      case .unknownOutcome: "unknownWrites"
      }
    }
  }

  private struct Outage {
    var counts: [Failure: Int] = [:]
    /// Whether something has failed since the last look.
    var goesOn = true
  }

  /// Without a failure for so long, an outage is over if the database answers.
  private static let period = Duration.seconds(1)

  private let database: Database
  private let log: Logger
  private let outage = Mutex<Outage?>(nil)

  init(of database: Database, log: Logger) {
    self.database = database
    self.log = log
  }

  func note(_ failure: Failure, error: any Error) {
    let (isFirst, isNew) = outage.withLock { outage in
      let isNew = outage == nil
      var current = outage ?? Outage()
      current.counts[failure, default: 0] += 1
      current.goesOn = true
      outage = current
      return (current.counts[failure] == 1, isNew)
    }
    if isFirst {
      log.error("\(failure.rawValue) Further failures of this kind are counted.", metadata: ["error": "\(error)"])
    }
    guard isNew else { return }
    Task { [weak self] in
      repeat { try? await Task.sleep(for: Self.period) } while await self?.endIfOver() == false
    }
  }

  /// Ends the outage, and logs its end, if the database answers and nothing has failed since the last call.
  ///
  /// - Returns: whether the outage has ended.
  private func endIfOver() async -> Bool {
    // Only a write that is stored tells that writes are stored again, and there may be no other one.
    if database.writeFailure != nil { try? await database.probeWrite() }
    let isAnswering = database.writeFailure == nil
    let counts = outage.withLock { outage -> [Failure: Int]? in
      guard let current = outage, isAnswering, !current.goesOn else {
        outage?.goesOn = false
        return nil
      }
      outage = nil
      return current.counts
    }
    guard let counts else { return false }
    let numbers = counts.map { failure, count in (failure.count, Logger.MetadataValue.stringConvertible(count)) }
    log.notice("The database answers again.", metadata: Dictionary(uniqueKeysWithValues: numbers))
    return true
  }
}
