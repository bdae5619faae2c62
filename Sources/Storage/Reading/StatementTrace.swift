import Basics
import CSQLite
import Glibc

/// The time that a statement took in a request.
package struct StatementTime: Sendable, Equatable {
  /// With the names of its parameters, without their values.
  package let sql: String
  package var count: Int
  package var nanoseconds: UInt64

  package init(sql: String, count: Int, nanoseconds: UInt64) {
    self.sql = sql
    self.count = count
    self.nanoseconds = nanoseconds
  }
}

/// The times of the statements of a reader.
package protocol StatementTimes: AnyObject {
  /// Returns the statements that have ended since the last call, in the order in which they began.
  func take() -> [StatementTime]

  /// Forgets the statements so far.
  func removeAll()
}

/// Measures the statements of a connection. Confined to the connection's thread.
///
/// SQLite reports the beginning and the end of each statement, and the time in between is measured here, since SQLite's
/// own measurement has a resolution of a millisecond. The time of a statement whose rows are read one by one includes
/// the work between its rows.
package final class StatementTrace: StatementTimes {
  private struct Entry {
    let statement: OpaquePointer
    /// A copy, because the statement may be finalized before its time is taken.
    let sql: String
    var count = 0
    var nanoseconds: UInt64 = 0
    /// Nil while the statement does not run.
    var startedAt: UInt64?

    func hasText(_ text: UnsafePointer<CChar>) -> Bool { sql.withCString { strcmp($0, text) == 0 } }
  }

  /// Further statements are not measured, which bounds memory and time.
  fileprivate static let maximumStatements = 100

  private var entries: [Entry] = []

  /// Measures all statements of a connection, for as long as the trace exists.
  init(of connection: OpaquePointer) {
    sqlite3_trace_v2(
      connection,
      UInt32(SQLITE_TRACE_STMT | SQLITE_TRACE_PROFILE),
      { event, trace, statement, text in
        guard let trace, let statement else { return 0 }
        let measured = Unmanaged<StatementTrace>.fromOpaque(trace).takeUnretainedValue()
        if event == UInt32(SQLITE_TRACE_PROFILE) {
          measured.didEnd(OpaquePointer(statement))
        } else if let text = text?.assumingMemoryBound(to: CChar.self), strncmp(text, "--", 2) != 0 {
          // A text that begins with dashes is the name of a trigger, which is a part of the running statement.
          measured.didBegin(OpaquePointer(statement))
        }
        return 0
      },
      Unmanaged.passUnretained(self).toOpaque()
    )
  }

  private func didBegin(_ statement: OpaquePointer) {
    guard let text = sqlite3_sql(statement) else { return }
    // A statement can get the address of one that was finalized.
    if let index = entries.lastIndex(where: { $0.statement == statement && $0.hasText(text) }) {
      entries[index].startedAt = MonotonicClock.nanoseconds
    } else if entries.count < Self.maximumStatements {
      entries.append(Entry(statement: statement, sql: String(cString: text), startedAt: MonotonicClock.nanoseconds))
    }
  }

  private func didEnd(_ statement: OpaquePointer) {
    guard let index = entries.lastIndex(where: { $0.statement == statement }), let start = entries[index].startedAt
    else { return }
    entries[index].count += 1
    entries[index].nanoseconds += MonotonicClock.nanoseconds - start
    entries[index].startedAt = nil
  }

  package func take() -> [StatementTime] {
    // Most calls follow another one directly.
    if entries.isEmpty { return [] }
    defer { entries.removeAll(keepingCapacity: true) }
    return entries.compactMap { entry in
      guard entry.count > 0 else { return nil }
      return StatementTime(sql: entry.sql, count: entry.count, nanoseconds: entry.nanoseconds)
    }
  }

  package func removeAll() { entries.removeAll(keepingCapacity: true) }
}

extension [StatementTime] {
  /// Adds times of the same request.
  package mutating func add(_ times: [StatementTime]) {
    for time in times {
      if let index = firstIndex(where: { $0.sql == time.sql }) {
        self[index].count += time.count
        self[index].nanoseconds += time.nanoseconds
      } else if count < StatementTrace.maximumStatements {
        append(time)
      }
    }
  }
}
