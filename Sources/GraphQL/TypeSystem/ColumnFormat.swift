/// How a stored column is written into a response.
package enum ColumnFormat: Hashable, Sendable {
  case text
  case integer
  case double
  case boolean
  /// Milliseconds since 1970, written as RFC 3339 in UTC.
  case dateTime
  /// A number that names one of these values.
  case enumeration([String])
  /// The key of another object: never written itself.
  case key
}
