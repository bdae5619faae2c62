import ArgumentParser

struct ConfigCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "config",
    abstract: "Works with the server's configuration.",
    subcommands: [CheckConfiguration.self]
  )
}
