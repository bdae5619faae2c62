import ArgumentParser
import Hearth

struct Seed: AsyncParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Fills an empty data folder for benchmarks.")

  @Option(help: ArgumentHelp("The folder that is to hold the data.", valueName: "dir"))
  var data: String

  @Option(help: "How many families.")
  var families: Int

  @Option(help: "The same seed makes the same data.")
  var seed: UInt64 = 1

  func validate() throws {
    guard (1...10_000_000).contains(families) else {
      throw ValidationError("--families must be from 1 to 10,000,000.")
    }
  }

  func run() async throws {
    try await BenchmarkData.fill(directory: data, families: families, seed: seed)
  }
}
