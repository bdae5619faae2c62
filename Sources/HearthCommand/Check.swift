import ArgumentParser
import Hearth

struct Check: ParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Reads all data and reports what is damaged.")

  @Option(help: ArgumentHelp("The folder that holds the data.", valueName: "dir"), completion: .directory)
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
