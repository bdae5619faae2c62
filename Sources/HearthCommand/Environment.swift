import ArgumentParser
import Hearth
import Logging

/// The settings from the environment and the configuration file. `ServerSetting.all` declares them.
struct Environment {
  private let variables: [String: String]

  init(_ variables: [String: String]) { self.variables = variables }

  /// Nil if the variable is empty or not set.
  func text(_ variable: String) -> String? { variables[variable].flatMap { $0.isEmpty ? nil : $0 } }

  func number(_ variable: String, in range: ClosedRange<Int>) throws -> Int? {
    try validating { () throws(InvalidSetting) in try ServerSetting.number(variable, in: range, of: variables) }
  }

  func logLevel() throws -> Logger.Level {
    guard let text = text("HEARTH_LOG_LEVEL") else { return .info }
    guard let level = Logger.Level(rawValue: text.lowercased()) else {
      throw ValidationError("HEARTH_LOG_LEVEL must be one of trace, debug, info, notice, warning, error, critical.")
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
      throw ValidationError(error.message)
    }
  }
}
