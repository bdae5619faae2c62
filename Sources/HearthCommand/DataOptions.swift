import ArgumentParser
import Hearth

/// The data that a command is about: `--data` or `--database`.
struct DataOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The data folder.", valueName: "dir"), completion: .directory)
  var data: String?

  @Option(
    help: ArgumentHelp(
      "The URL of a PostgreSQL database. The password can be in PGPASSWORD, or in the file that PGPASSFILE names.",
      valueName: "url"
    )
  )
  var database: String?

  func validate() throws {
    guard (data == nil) != (database == nil) else {
      throw ValidationError("Specify either --data or --database.")
    }
  }

  func location() -> DataLocation { database.map { .postgreSQL(url: $0) } ?? .folder(data ?? "") }

  /// Whether the environment or the configuration file accepts PostgreSQL servers that lose data when they crash.
  static func allowsUnsafeDatabase() throws -> Bool {
    try ServerOptions(Environment.read(configurationFile: nil)).configuration.allowsUnsafeDatabase
  }
}
