import ArgumentParser
import Hearth

struct PrintSchema: ParsableCommand {
  enum Format: String, ExpressibleByArgument, CaseIterable {
    case sdl, json
  }

  static let configuration = CommandConfiguration(
    commandName: "schema",
    abstract: "Prints the schema, for client generators."
  )

  @Option(help: "The format: schema definition language (sdl) or the response of an introspection query (json).")
  var format = Format.sdl

  func run() throws {
    let text =
      switch format {
      case .sdl: Array(HearthSchema.sdl)
      case .json: Array(try HearthSchema.introspection()) + [UInt8(ascii: "\n")]
      }
    try StandardOutput.write(text)
  }
}
