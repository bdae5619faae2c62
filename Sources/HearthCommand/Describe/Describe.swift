import ArgumentParser

/// Texts that follow from the declarations of commands and settings. `Scripts/package` installs them.
struct Describe: ParsableCommand {
  enum Text: String, ExpressibleByArgument, CaseIterable {
    case manual, configuration
  }

  static let configuration = CommandConfiguration(
    abstract: "Prints the manual page, or an example of a configuration file with all settings."
  )

  @Argument(help: "The text to print: manual or configuration.")
  var text: Text

  func run() throws {
    switch text {
    case .manual: print(ManualPage(of: try CommandDescription(of: HearthCommand.self)).text, terminator: "")
    case .configuration: print(ExampleConfiguration().text, terminator: "")
    }
  }
}
