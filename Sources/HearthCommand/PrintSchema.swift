import ArgumentParser
import Foundation
import Hearth

struct PrintSchema: ParsableCommand {
  enum Format: String, ExpressibleByArgument, CaseIterable {
    case sdl, json
  }

  static let configuration = CommandConfiguration(
    commandName: "schema",
    abstract: "Prints the schema, for client generators."
  )

  @Option(help: "As it is written (sdl), or as the answer to an introspection query (json).")
  var format = Format.sdl

  func run() throws {
    let text =
      switch format {
      case .sdl: Data(HearthSchema.sdl)
      case .json: Data(try HearthSchema.introspection() + [UInt8(ascii: "\n")])
      }
    try FileHandle.standardOutput.write(contentsOf: text)
  }
}
