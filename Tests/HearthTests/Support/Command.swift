import Foundation
import TestSupport

/// A command of the system, waited for on a thread of its own. It is ended after a quarter of an hour, with what it has
/// started: a command that hangs must not hang the tests.
enum Command {
  struct Result: Sendable {
    let status: Int32
    /// Its output, including standard error.
    let output: String
  }

  static func run(
    _ arguments: [String],
    in folder: String? = nil,
    environment: [String: String] = [:]
  ) async throws -> Result {
    try await TestThread {
      let (end, output) = try ChildProcess.run(
        ["timeout", "--kill-after=10", "900"] + arguments,
        in: folder,
        environment: ProcessInfo.processInfo.environment.merging(environment) { _, given in given },
        errors: .inOutput
      )
      return Result(status: end.status, output: String(decoding: output, as: UTF8.self))
    }.value
  }
}
