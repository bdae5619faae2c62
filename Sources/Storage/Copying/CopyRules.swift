/// What the engines derive from other tables in ways of their own.
package struct CopyRules: Sendable {
  /// Tables that are not copied.
  let derived: Set<String>
  /// Fills such tables of a SQLite file.
  let fileStatements: [String]
  /// Fills such tables of a PostgreSQL database.
  let serverStatements: [String]

  package init(derived: Set<String>, fileStatements: [String], serverStatements: [String]) {
    self.derived = derived
    self.fileStatements = fileStatements
    self.serverStatements = serverStatements
  }
}
