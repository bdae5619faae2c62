/// How servers on the same PostgreSQL database learn that others have written.
package enum DatabaseHints: String, CaseIterable, Sendable {
  /// By messages of PostgreSQL (NOTIFY).
  case notify
  /// By looking often, for database servers and poolers without messages.
  case poll
}
