import ArgumentParser
import Hearth

struct Move: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Moves all data from a data folder to a PostgreSQL database, or back.",
    discussion: """
      One of the two is the URL of a PostgreSQL database, as in postgresql://hearth@db.example.com/hearth. No server may be \
      using the data. It is copied, read again and compared, with keys and pictures. Everybody stays signed in. The source is \
      not changed. The target must be empty, and stays empty if something fails.
      """
  )

  @Option(help: ArgumentHelp("A data folder, or the URL of a database.", valueName: "location"), completion: .directory)
  var from: String

  @Option(help: ArgumentHelp("An empty database, or a new folder.", valueName: "location"), completion: .directory)
  var to: String

  func run() throws {
    let moved = try DataMove.move(
      from: DataLocation(from),
      to: DataLocation(to),
      allowsUnsafeSettings: try DataOptions.allowsUnsafeDatabase()
    )
    print("Moved and compared \(moved.rows) rows and \(moved.pictures) pictures. The source is unchanged.")
  }
}
