/// How processes on the same PostgreSQL database learn that others have written.
package enum DatabaseHints: String, CaseIterable, Sendable {
  /// By messages of PostgreSQL (NOTIFY).
  case notify
  /// By reading often, for database servers and poolers without messages.
  case poll

  /// Milliseconds between two reads of what other processes may have changed, while no hints are missing.
  var readInterval: Int { self == .notify ? 30_000 : 5_000 }
}
