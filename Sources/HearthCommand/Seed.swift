import ArgumentParser
import Hearth

struct Seed: AsyncParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Fills an empty data folder for benchmarks.")

  @Option(help: ArgumentHelp("The folder that is to hold the data.", valueName: "dir"), completion: .directory)
  var data: String

  @Option(help: "How many families.")
  var families = 0

  @Option(help: "How many people with profiles, contacts and groups.")
  var people = 0

  @Option(help: "The same seed makes the same data.")
  var seed: UInt64 = 1

  func validate() throws {
    for (name, count) in [("families", families), ("people", people)] {
      guard (0...10_000_000).contains(count) else {
        throw ValidationError("--\(name) must be from 0 to 10,000,000.")
      }
    }
    guard families + people > 0 else { throw ValidationError("Say how many --families or --people there are to be.") }
  }

  func run() async throws {
    try await BenchmarkData.fill(directory: data, families: families, people: people, seed: seed)
  }
}
