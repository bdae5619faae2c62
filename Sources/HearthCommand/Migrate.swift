import ArgumentParser
import Hearth

struct Migrate: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Creates the tables in a PostgreSQL database, or migrates those of an older version.",
    discussion: """
      hearth serve does this at its start if its user may. This command is for operators whose servers have a user that may \
      only read and change rows.
      """
  )

  @Option(
    help: ArgumentHelp("The URL of the database, with the user who owns the tables.", valueName: "url")
  )
  var database: String

  @Flag(
    help: """
      The database was restored from a backup, or lost commits at a failover: numbers that the lost commits have used are \
      not used again. Before the servers start.
      """
  )
  var restored = false

  func run() throws {
    let allowsUnsafeSettings = try DataOptions.allowsUnsafeDatabase()
    try Maintenance.migrate(server: database, isRestored: restored, allowsUnsafeSettings: allowsUnsafeSettings)
    print("The database is up to date.")
  }
}
