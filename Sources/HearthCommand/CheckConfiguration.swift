import ArgumentParser
import Hearth

/// `hearth config check`
struct CheckConfiguration: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Checks the settings of the environment and of a configuration file without starting the server."
  )

  @Option(help: ArgumentHelp(ServerSetting.help(ofOption: "config"), valueName: "file"), completion: .file())
  var config: String?

  func run() throws {
    let environment = try Environment.read(configurationFile: config)
    let options = try ServerOptions(environment)
    _ = try environment.logLevel()
    try options.configuration.checkTrustedDocuments()
    print("The configuration is valid.")
  }
}
