import GraphQL
import Storage

/// A value of a column that GraphQL fields can read.
package protocol StoredValue: SQLValue {
  /// How the engine reads and writes such values.
  static var source: StoredSource { get }
}

/// The form in which the engine finds a column's value.
package enum StoredSource {
  case formatted(ColumnFormat)
  /// Bytes that only a resolver reads. They are never written to a response themselves.
  case bytes
}

/// A point in time, in milliseconds since 1970.
struct Timestamp: Hashable, Comparable, Sendable {
  /// The times that `DateTime` accepts and returns: the years 1 to 9999 in UTC, without the first and the last day. So
  /// the day of each has a `Date` in every time zone.
  static let range: ClosedRange<Int64> = -62_135_510_400_000...253_402_214_399_999

  let milliseconds: Int64

  /// A time beyond `range`, such as that of a reminder that is snoozed at its end, becomes the nearest in it.
  init(_ milliseconds: Int64) {
    self.milliseconds = min(max(milliseconds, Self.range.lowerBound), Self.range.upperBound)
  }

  static func < (one: Timestamp, other: Timestamp) -> Bool { one.milliseconds < other.milliseconds }
  static func + (moment: Timestamp, milliseconds: Int64) -> Timestamp { Timestamp(moment.milliseconds + milliseconds) }
  static func - (moment: Timestamp, milliseconds: Int64) -> Timestamp { Timestamp(moment.milliseconds - milliseconds) }
}

extension Timestamp: StoredValue {
  static var sqlType: SQLType { Int64.sqlType }
  package static var source: StoredSource { .formatted(.dateTime) }

  func bind(to statement: Statement, at number: Int) throws(DatabaseError) {
    try statement.bind(milliseconds, at: number)
  }
}

extension GlobalID: StoredValue {
  static var sqlType: SQLType { Int64.sqlType }
  package static var source: StoredSource { .formatted(.key) }

  func bind(to statement: Statement, at number: Int) throws(DatabaseError) { try statement.bind(rawValue, at: number) }
}

extension StoredEnumeration {
  package static var sqlType: SQLType { Int64.sqlType }
  package static var source: StoredSource { .formatted(.enumeration(allCases.map(\.rawValue))) }
  package var storedValue: Int64 { stored }

  package func bind(to statement: Statement, at number: Int) throws(DatabaseError) {
    try statement.bind(stored, at: number)
  }
}

extension Int64: StoredValue {
  package static var source: StoredSource { .formatted(.integer) }
}

extension Bool: StoredValue {
  package static var source: StoredSource { .formatted(.boolean) }
}

extension String: StoredValue {
  package static var source: StoredSource { .formatted(.text) }
}

extension [UInt8]: StoredValue {
  package static var source: StoredSource { .bytes }
}

extension Optional: StoredValue where Wrapped: StoredValue {
  package static var source: StoredSource { Wrapped.source }
}
