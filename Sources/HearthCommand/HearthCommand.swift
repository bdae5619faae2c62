import ArgumentParser
import Glibc
import Hearth

@main
struct HearthCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "hearth",
    abstract: "A GraphQL server for family and address-book apps.",
    version: HearthVersion.current,
    subcommands: [
      Serve.self, Status.self, Account.self, FamilyCommand.self, MailCommand.self, PushCommand.self,
      KeysCommand.self,
      ReadOnlyCommand.self, Backup.self, Check.self, Move.self, Migrate.self,
      Config.self, PrintSchema.self, Generate.self, Seed.self, Describe.self,
    ]
  )

  /// Prepares the process before any command runs.
  static func main() async {
    let command = CommandLine.arguments.dropFirst().first
    // A process that the server starts. It ends without the work that libraries do at the end of a process.
    if command == PictureScaling.command { _exit(PictureScaling.run(Array(CommandLine.arguments.dropFirst(2)))) }
    if command == "serve" {
      Server.rememberSignals()
      Server.keepFreedMemory()
    }
    // The files of these commands contain data that only the owner may read. Other commands create source files.
    if let command, ["serve", "seed", "backup", "check", "move"].contains(command) { umask(0o077) }
    await main(nil)
  }
}
