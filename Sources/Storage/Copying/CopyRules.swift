/// What the engines derive from other tables in ways of their own.
package struct CopyRules: Sendable {
  /// Tables that are not copied.
  let derived: Set<String>
  /// Fills such tables of a SQLite file.
  let fileStatements: [String]
  /// Fills such tables of a PostgreSQL database.
  let postgreSQLStatements: [String]
  /// By table and column, such as `chore.name_key`: shortens the texts of a SQLite file that are too long for an index
  /// of a PostgreSQL database.
  let shortened: [String: @Sendable (String) -> String]

  package init(
    derived: Set<String>,
    fileStatements: [String],
    postgreSQLStatements: [String],
    shortened: [String: @Sendable (String) -> String] = [:]
  ) {
    self.derived = derived
    self.fileStatements = fileStatements
    self.postgreSQLStatements = postgreSQLStatements
    self.shortened = shortened
  }
}
