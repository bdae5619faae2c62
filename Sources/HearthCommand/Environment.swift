import Foundation
import Hearth
import Logging

/// The settings from the environment and the configuration file. `ServerSetting.all` declares them.
struct Environment {
  private let variables: [String: String]

  /// - Throws: `CommandError` if a variable that begins with `HEARTH_` is no setting.
  init(_ variables: [String: String]) throws {
    self.variables = variables
    try validating { () throws(InvalidSetting) in try ServerSetting.requireDeclared(variables.keys) }
  }

  /// The settings that `hearth serve` reads: those of the process's environment, and of the configuration file for
  /// variables that the environment does not set. An empty variable is not set, as elsewhere: it does not replace the
  /// file's value.
  ///
  /// - Parameter file: The path that the command line gives; otherwise `HEARTH_CONFIG` names the file.
  static func read(configurationFile file: String?) throws -> Environment {
    let given = ProcessInfo.processInfo.environment
    let file = try (file ?? nonempty(given["HEARTH_CONFIG"])).map { try ConfigurationFile(path: $0).variables } ?? [:]
    return try Environment(file.merging(given) { nonempty($1) ?? $0 })
  }

  private static func nonempty(_ text: String?) -> String? { text.flatMap { $0.isEmpty ? nil : $0 } }

  /// Nil if the variable is empty or not set.
  func text(_ variable: String) -> String? { Self.nonempty(variables[variable]) }

  func number(_ variable: String, in range: ClosedRange<Int>) throws -> Int? {
    try validating { () throws(InvalidSetting) in try ServerSetting.number(variable, in: range, of: variables) }
  }

  func logLevel() throws -> Logger.Level {
    let name = text("HEARTH_LOG_LEVEL") ?? ServerSetting.standardLogLevel
    guard let level = Logger.Level(rawValue: name.lowercased()) else {
      let levels = Logger.Level.allCases.map(\.rawValue).joined(separator: ", ")
      throw CommandError("HEARTH_LOG_LEVEL must be one of \(levels).")
    }
    return level
  }

  func configure(_ configuration: inout Configuration) throws {
    try validating { () throws(InvalidSetting) in try ServerSetting.configure(&configuration, from: variables) }
  }

  private func validating<Value>(_ body: () throws(InvalidSetting) -> Value) throws -> Value {
    do throws(InvalidSetting) {
      return try body()
    } catch {
      throw CommandError(error.message)
    }
  }
}
