import ArgumentParser
import Foundation
import Hearth
import Logging

struct Serve: AsyncParsableCommand {
  static let name = "serve"

  static let configuration = CommandConfiguration(
    commandName: name,
    abstract: "Serves GraphQL over HTTP.",
    discussion: """
      \(settingsRule) By variables or the file only:

      \(ServerSetting.all.filter { $0.option == nil }.map(help).joined(separator: "\n"))
      """
  )

  static let settingsRule = """
    An option takes precedence over its environment variable, and a variable over the file that --config or \
    HEARTH_CONFIG names, which has one NAME=value a line. Documentation/operating.md explains the settings.
    """

  private static func help(_ setting: ServerSetting) -> String {
    "  \(setting.variables.joined(separator: ", "))\n      \(setting.help)"
  }

  private static func help(ofOption option: String, valueName: String? = nil) -> ArgumentHelp {
    ArgumentHelp(ServerSetting.help(ofOption: option), valueName: valueName)
  }

  @Option(help: help(ofOption: "host"))
  var host: String?

  @Option(help: help(ofOption: "port"))
  var port: Int?

  @Option(help: help(ofOption: "data", valueName: "dir"), completion: .directory)
  var data: String?

  @Option(help: help(ofOption: "loops"))
  var loops: Int?

  @Option(help: help(ofOption: "config", valueName: "file"), completion: .file())
  var config: String?

  @Flag(help: help(ofOption: "accept-lost-log"))
  var acceptLostLog = false

  @Flag(help: help(ofOption: "demo"))
  var demo = false

  @Flag(help: help(ofOption: "without-delivery"))
  var withoutDelivery = false

  func validate() throws {
    try ServerOptions.possiblePorts.validate(port, ofOption: "port")
    try ServerOptions.possibleLoops.validate(loops, ofOption: "loops")
  }

  func run() async throws {
    let environment = try Environment.read(configurationFile: config)
    let options = try options(environment)
    let log = Log.standardError(level: try environment.logLevel())

    let server = try await Server(options, log: log)
    try await server.runUntilSignal {
      // Scripts wait for this line.
      try StandardOutput.write("Hearth is listening on \(server.url)/graphql\n".utf8)
    }
  }

  /// What the command line and the environment give together.
  private func options(_ environment: Environment) throws -> ServerOptions {
    var options = try ServerOptions(environment)
    if let host { options.host = host }
    if let port { options.port = port }
    if let data { options.dataDirectory = data }
    if let loops { options.loops = loops }
    // This program, even if its file has been replaced meanwhile.
    options.configuration.scalingProgram = "/proc/self/exe"
    options.configuration.acceptsLostLog = acceptLostLog
    options.configuration.delivers = !withoutDelivery
    options.configuration.isDemonstration = demo
    return options
  }
}
