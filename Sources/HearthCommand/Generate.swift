import ArgumentParser

struct Generate: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Generates clients from the schema and documents.",
    subcommands: [GenerateSwift.self, GenerateTypeScript.self]
  )
}
