import ArgumentParser
import Hearth

struct Check: ParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Verifies all data and reports damage.")

  @OptionGroup var data: DataOptions

  func run() throws {
    let faults = try Maintenance.faults(in: data.location())
    guard faults.isEmpty else {
      for fault in faults { print(fault) }
      throw ExitCode.failure
    }
    print("The data is sound.")
  }
}
