import ArgumentParser
import Hearth

struct Seed: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Fills an empty data folder, or an empty PostgreSQL database, for benchmarks."
  )

  @OptionGroup var data: DataOptions

  @Option(help: "The number of families.")
  var families = 0

  @Option(help: "The number of people with profiles, contacts and groups.")
  var people = 0

  @Option(help: "The seed of the random data. The same seed yields the same data.")
  var seed: UInt64 = 1

  func validate() throws {
    for (name, count) in [("families", families), ("people", people)] {
      try (0...10_000_000).validate(count, ofOption: name)
    }
    guard families + people > 0 else { throw ValidationError("Specify the number of --families or --people.") }
  }

  func run() async throws {
    try await BenchmarkData.fill(
      data.location(),
      allowsUnsafeSettings: try DataOptions.allowsUnsafeDatabase(),
      families: families,
      people: people,
      seed: seed
    )
  }
}
