import ArgumentParser

struct Config: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Works with the server's configuration.",
    subcommands: [CheckConfiguration.self]
  )
}
