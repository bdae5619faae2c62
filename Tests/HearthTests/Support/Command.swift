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
      let process = Process()
      let output = Pipe()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      process.arguments = ["timeout", "--kill-after=10", "900"] + arguments
      if let folder { process.currentDirectoryURL = URL(fileURLWithPath: folder) }
      process.environment = ProcessInfo.processInfo.environment.merging(environment) { _, given in given }
      process.standardOutput = output
      process.standardError = output
      try process.run()
      let bytes = output.fileHandleForReading.readDataToEndOfFile()
      process.waitUntilExit()
      return Result(status: process.terminationStatus, output: String(decoding: bytes, as: UTF8.self))
    }.value
  }
}
