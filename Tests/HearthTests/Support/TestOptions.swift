import Foundation

/// Variables of the environment that make tests longer, repeat a seed, or have files written. `Tests/README.md` lists
/// them.
enum TestOptions {
  private static let environment = ProcessInfo.processInfo.environment

  /// Whether snapshots and generated tables are written and not only compared.
  static let updatesSnapshots = environment["HEARTH_UPDATE_SNAPSHOTS"] != nil
  static let isLoadWhole = environment["HEARTH_LOAD"] == "whole"
  static let isChaosWhole = environment["HEARTH_CHAOS"] == "whole"
  static let isSimulationWhole = environment["HEARTH_SIMULATION"] == "whole"
  static let simulationSeeds: [UInt64] =
    environment["HEARTH_SIMULATION_SEED"].flatMap { UInt64($0) }.map { [$0] } ?? [1, 2]
  /// How many sign-outs at one server are tested at another.
  static let signOuts = environment["HEARTH_SIGN_OUTS"].flatMap { Int($0) } ?? 50
  /// The program of an earlier version, from which a rolling upgrade begins.
  static let oldProgram = environment["HEARTH_OLD_PROGRAM"]
}
