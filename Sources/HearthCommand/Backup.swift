import ArgumentParser
import Hearth

struct Backup: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Copies the data into a new file, and its pictures into a new folder beside it, FILE.media, also while the server is running."
  )

  @Option(help: ArgumentHelp("The folder that holds the data.", valueName: "dir"))
  var data: String

  @Argument(help: "The file to be made. It and its folder must not exist yet.")
  var file: String

  func run() throws {
    try Maintenance.backup(directory: data, to: file)
  }
}
