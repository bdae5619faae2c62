import ArgumentParser
import Foundation
import Hearth

/// The options of the commands that control a running server.
struct ControlOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The data folder of the server. \(ServerSetting.variablesAndDefault(ofOption: "data"))",
      valueName: "dir"
    ),
    completion: .directory
  )
  var data: String?

  @Flag(help: "Prints JSON.")
  var json = false

  /// The data folder.
  func directory() throws -> String {
    try data ?? Environment.read(configurationFile: nil).text("HEARTH_DATA") ?? ServerOptions().dataDirectory
  }

  /// Sends a command and prints its response: as JSON, or as the text that
  /// `describe` returns.
  ///
  /// - Parameter use: called with the response before it is printed.
  func send<Command: OperatorCommand>(
    _ command: Command,
    use: (Command.Response) throws -> Void = { _ in },
    describe: (Command.Response) -> String
  ) throws {
    let json = try ControlClient(directory: directory()).send(command)
    let response = try ControlJSON.decode(Command.Response.self, from: json)
    try use(response)
    let text = self.json ? String(decoding: json, as: UTF8.self) : describe(response) + "\n"
    try StandardOutput.write(text.utf8)
  }
}
