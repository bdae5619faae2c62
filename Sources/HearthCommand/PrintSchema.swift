import ArgumentParser
import Assets

struct PrintSchema: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema",
    abstract: "Prints the schema, for client generators."
  )

  func run() throws {
    print(String(decoding: Asset.schema.bytes, as: UTF8.self), terminator: "")
  }
}
