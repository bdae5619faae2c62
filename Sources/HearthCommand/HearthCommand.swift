import ArgumentParser

@main
struct HearthCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "hearth",
    abstract: "A GraphQL server for family and address-book apps.",
    version: "0.1.0",
    subcommands: [Serve.self, PrintSchema.self, Generate.self, Seed.self, Backup.self, Check.self]
  )
}
