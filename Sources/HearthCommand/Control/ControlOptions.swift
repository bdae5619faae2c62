import ArgumentParser
import Foundation
import Hearth

/// The options of the commands that control a running server.
struct ControlOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("The data folder of the server. (HEARTH_DATA; default: data)", valueName: "dir"),
    completion: .directory
  )
  var data: String?

  @Flag(help: "Prints JSON.")
  var json = false

  /// Sends a command and prints its response: as JSON, or as the text that
  /// `describe` returns.
  func send<Command: OperatorCommand>(_ command: Command, _ describe: (Command.Response) -> String) throws {
    let directory = try data ?? Environment.read(configurationFile: nil).text("HEARTH_DATA") ?? "data"
    let response = try ControlClient(directory: directory).send(command)
    let text =
      json
      ? String(decoding: response, as: UTF8.self)
      : describe(try ControlJSON.decode(Command.Response.self, from: response)) + "\n"
    try FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
  }
}
