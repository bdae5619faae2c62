import ArgumentParser

struct FamilyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "family",
    abstract: "Works with the families of the running server.",
    subcommands: [ShowFamily.self]
  )
}
