import ArgumentParser
import Hearth

struct Backup: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Copies the data, even while the server is running.",
    discussion: """
      The database is copied into FILE, and the pictures into the folder "media" beside it, which several backups may share. \
      A folder in which FILE is named hearth.db can be served, and verified by hearth check, also if the data was in a \
      PostgreSQL database.
      """
  )

  @OptionGroup var data: DataOptions

  @Argument(help: "The file to create. It must not exist.", completion: .file())
  var file: String

  func run() throws {
    try Maintenance.backup(data.location(), to: file)
  }
}
