/// The encoding of a stored column in a response.
package enum ColumnFormat: Hashable, Sendable {
  case text
  case integer
  case double
  case boolean
  /// Milliseconds since 1970, written as RFC 3339 in UTC.
  case dateTime
  /// An index in this list of enum value names.
  case enumeration([String])
  /// The key of another object. It is never written to a response.
  case key
}
