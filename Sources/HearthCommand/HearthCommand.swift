import ArgumentParser
import Glibc
import Hearth

@main
struct HearthCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "hearth",
    abstract: "A GraphQL server for family and address-book apps.",
    version: HearthVersion.current,
    subcommands: [Serve.self, PrintSchema.self, Generate.self, Seed.self, Backup.self, Check.self, Describe.self]
  )

  /// What has to be so before anything else runs.
  static func main() async {
    let command = CommandLine.arguments.dropFirst().first
    if command == "serve" { Server.rememberSignals() }
    // What these make is data, and nobody else's to read. What the others make is source.
    if let command, ["serve", "seed", "backup", "check"].contains(command) { umask(0o077) }
    await main(nil)
  }
}
