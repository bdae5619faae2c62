import ArgumentParser
import Hearth

struct Check: ParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Verifies all data and reports damage.")

  @Option(help: ArgumentHelp("The data folder.", valueName: "dir"), completion: .directory)
  var data: String

  func run() throws {
    let faults = try Maintenance.faults(directory: data)
    guard faults.isEmpty else {
      for fault in faults { print(fault) }
      throw ExitCode.failure
    }
    print("The data is sound.")
  }
}
