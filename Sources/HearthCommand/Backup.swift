import ArgumentParser
import Hearth

struct Backup: ParsableCommand {
  /// The exit status if the backup was made, but is not complete.
  static let incompleteStatus: Int32 = 2

  static let configuration = CommandConfiguration(
    abstract: "Copies the data, even while the server is running.",
    discussion: """
      The database is copied into FILE, and the pictures into the folder "media" beside it, which several backups may share. \
      Pictures there that no database beside FILE refers to any more are removed. \
      A folder in which FILE is named hearth.db can be served, and verified by hearth check, also if the data was in a \
      PostgreSQL database. \
      The exit status is \(incompleteStatus) if the backup was made, but lacks pictures that are missing or damaged in \
      the data, or if the database is damaged, in the data and therefore in the backup.
      """
  )

  @OptionGroup var data: DataOptions

  @Argument(help: "The file to create. It must not exist.", completion: .file())
  var file: String

  func run() throws {
    do {
      if let warning = try Maintenance.backup(data.location(), to: file) { StandardError.print(warning) }
    } catch let error as IncompleteBackup {
      StandardError.print(error.description)
      throw ExitCode(Self.incompleteStatus)
    }
  }
}
