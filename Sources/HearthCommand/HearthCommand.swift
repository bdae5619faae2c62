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
      Serve.self, Status.self, AccountCommand.self, FamilyCommand.self, MailCommand.self, PushCommand.self,
      KeysCommand.self, ReadOnlyCommand.self, Backup.self, Check.self, Move.self, Migrate.self,
      ConfigCommand.self, PrintSchema.self, Generate.self, Seed.self, Describe.self,
    ]
  )

  /// Prepares the process before any command runs.
  static func main() async {
    let command = CommandLine.arguments.dropFirst().first
    // A process that the server starts. It ends without the work that libraries do at the end of a process.
    if command == PictureScaling.command { _exit(PictureScaling.run(Array(CommandLine.arguments.dropFirst(2)))) }
    if command == Serve.name {
      Server.rememberSignals()
      Server.keepFreedMemory()
    }
    // The files of these commands contain data that only the owner may read. Other commands create source files.
    let withPrivateFiles: [any ParsableCommand.Type] = [Serve.self, Seed.self, Backup.self, Check.self, Move.self]
    if withPrivateFiles.contains(where: { $0._commandName == command }) { umask(0o077) }
    await main(nil)
  }
}
