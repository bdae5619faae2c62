import Foundation
import Glibc

/// A Python script that acts as an independent server, in its own process. It ends with this value, or with the tests.
///
/// `@unchecked Sendable`: one test has it, and what is not set by `init` goes through the system's calls.
package final class PythonServer: @unchecked Sendable {
  /// The script has ended before it printed a line.
  package struct Ended: Error, CustomStringConvertible {
    let script: String

    package var description: String { "\(script) ended before it announced itself." }
  }

  /// The line that the script has printed, without its end: its port, and what else there is to know of it.
  package let announced: String
  private let process = Process()
  private let input = Pipe()

  /// - Parameter script: a script of `Tests`. It prints one line when it listens, and ends with its input.
  package init(_ script: String, arguments: [String] = []) async throws {
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3", PythonScript.file(script)] + arguments
    // Other processes that tests start must not keep it running.
    _ = fcntl(input.fileHandleForWriting.fileDescriptor, F_SETFD, FD_CLOEXEC)
    let output = Pipe()
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    let reading = output.fileHandleForReading
    let line = try await TestThread {
      // What is available can be a part of the line.
      var line: [UInt8] = []
      while !line.contains(UInt8(ascii: "\n")), case let data = reading.availableData, !data.isEmpty { line += data }
      return line
    }.value
    guard let end = line.firstIndex(of: UInt8(ascii: "\n")) else { throw Ended(script: script) }
    announced = String(decoding: line[..<end], as: UTF8.self)
  }

  deinit {
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
  }
}
