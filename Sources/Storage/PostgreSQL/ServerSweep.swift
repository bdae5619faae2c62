import PostgreSQL

/// Deletes now and then what a PostgreSQL database needs only for some time.
///
/// What fails is repeated by the next sweep. A failure that lasts, such as a missing right to delete, lets a table grow
/// without bound, so it is reported once, and so is its end.
final class ServerSweep {
  /// The time between two sweeps.
  static let interval = PartitionChangeSweep.interval

  /// What is deleted, by the name of its table.
  private enum Step: String {
    case tokens = "commit_token"
    case changes = "partition_change"
  }

  private let writer: ServerWriter
  private let changes: PartitionChangeSweep
  private let report: @Sendable (String) -> Void
  /// The failure of each step's last run.
  private var failures: [Step: DatabaseError] = [:]

  init(_ writer: ServerWriter, with statements: SingleStatements, report: @escaping @Sendable (String) -> Void) {
    self.writer = writer
    changes = PartitionChangeSweep(with: statements)
    self.report = report
  }

  /// See `PartitionChangeSweep.begin`.
  func begin() async {
    do throws(DatabaseError) {
      try await changes.begin()
      note(nil, of: .changes)
    } catch {
      note(error, of: .changes)
    }
  }

  func sweep() async {
    do throws(PostgreSQLError) {
      try await writer.removeOldTokens()
      note(nil, of: .tokens)
    } catch {
      note(DatabaseError(error), of: .tokens)
    }
    do throws(DatabaseError) {
      try await changes.sweep()
      note(nil, of: .changes)
    } catch {
      note(error, of: .changes)
    }
  }

  /// Reports a failure unless the step's last run had the same, and the end of one.
  private func note(_ failure: DatabaseError?, of step: Step) {
    guard failure?.code != .closed else { return }
    let last = failures[step]
    failures[step] = failure
    guard failure != last else { return }
    let minutes = Self.interval.components.seconds / 60
    let rows = "Old rows of the table \(step.rawValue)"
    if let failure {
      report("\(rows) cannot be deleted, which is tried again every \(minutes) minutes: \(failure)")
    } else {
      report("\(rows) are deleted again.")
    }
  }
}
