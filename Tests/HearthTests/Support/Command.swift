import Foundation

struct CommandResult: Sendable {
  let status: Int32
  let output: String
}

/// A command of the system, waited for: on a thread of its own.
enum Command {
  static func run(
    _ arguments: [String],
    in folder: URL? = nil,
    environment: [String: String] = [:]
  ) throws -> CommandResult {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = arguments
    process.currentDirectoryURL = folder
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { _, given in given }
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let bytes = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return CommandResult(status: process.terminationStatus, output: String(decoding: bytes, as: UTF8.self))
  }
}
