import ArgumentParser

struct KeysCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "keys",
    abstract: "Works with the keys of the running server.",
    subcommands: [RotateKeys.self]
  )
}
