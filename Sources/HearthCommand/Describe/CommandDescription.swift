import ArgumentParser
import Foundation

/// A command with its options, arguments and subcommands, as ArgumentParser describes them in JSON.
struct CommandDescription: Decodable {
  struct Argument: Decodable {
    struct Name: Decodable {
      let kind: String
      let name: String

      /// With its hyphens.
      var spelling: String { (kind == "long" ? "--" : "-") + name }
    }

    let kind: String
    let names: [Name]?
    let valueName: String?
    let abstract: String?
    let defaultValue: String?
    let isOptional: Bool
    let isRepeating: Bool
    let shouldDisplay: Bool
  }

  let commandName: String
  let abstract: String?
  let discussion: String?
  let arguments: [Argument]?
  let subcommands: [CommandDescription]?

  init(of command: any ParsableCommand.Type) throws {
    struct Tool: Decodable { let command: CommandDescription }
    self = try JSONDecoder().decode(Tool.self, from: Data(command._dumpHelp().utf8)).command
  }

  /// What can be run: this command, or its subcommands and theirs, with the words that name each.
  func runnable(after words: [String] = []) -> [(words: [String], command: CommandDescription)] {
    let words = words + [commandName]
    let inner = (subcommands ?? []).filter { $0.commandName != "help" }
    return inner.isEmpty ? [(words, self)] : inner.flatMap { $0.runnable(after: words) }
  }
}
