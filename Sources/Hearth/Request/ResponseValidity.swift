import Storage

/// For how long the response to a query is the one that an execution would give.
package struct ResponseValidity: Sendable {
  let data: DataVersion
  /// In milliseconds since 1970; nil if the response does not depend on the time.
  let times: Range<Int64>?
}
