/// A Python script that acts as an independent server, in its own process. It ends with this value, or with the tests.
package final class PythonServer: Sendable {
  /// The script has ended before it printed a line.
  package struct Ended: Error, CustomStringConvertible {
    let script: String

    package var description: String { "\(script) ended before it announced itself." }
  }

  /// The line that the script has printed, without its end: its port, and what else there is to know of it.
  package let announced: String
  private let process: ChildProcess

  /// - Parameter script: a script of `Tests`. It prints one line when it listens, and ends with its input.
  package init(_ script: String, arguments: [String] = []) async throws {
    let process = try ChildProcess(["python3", PythonScript.file(script)] + arguments, hasInput: true)
    self.process = process
    guard let line = try await TestThread({ process.readLine() }).value else { throw Ended(script: script) }
    announced = line
  }

  deinit {
    process.endInput()
    process.wait()
  }
}
