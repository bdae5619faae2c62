import Foundation
import Storage

extension Row {
  /// The moment in a column of milliseconds since 1970.
  func date(_ column: Int) -> Date { Date(milliseconds: int64(column)) }

  /// The same; nil for NULL.
  func optionalDate(_ column: Int) -> Date? { optionalInt64(column).map { Date(milliseconds: $0) } }
}
