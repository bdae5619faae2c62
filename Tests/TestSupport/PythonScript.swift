import Foundation

/// A Python script that acts as an independent client, in its own process.
package enum PythonScript {
  package struct Outcome: Equatable, Sendable {
    package let status: Int32
    package let output: String

    package static let ok = Outcome(status: 0, output: "ok\n")

    /// Whether the script succeeded, after it has printed what it found.
    package var endsOK: Bool { status == 0 && output.hasSuffix("ok\n") }
  }

  package struct Failure: Error, CustomStringConvertible {
    package let description: String
  }

  /// Whether the packages are installed, as `Scripts/test` does it.
  package static func has(_ packages: String...) -> Bool {
    accepts(packages.map { "import \($0)" }.joined(separator: "; "))
  }

  /// Whether Python code ends without an exception.
  package static func accepts(_ code: String) -> Bool { (try? run(["-c", code]))?.status == 0 }

  /// Runs a script of `Tests` to its end. The output contains standard output and standard error.
  package static func run(_ path: String, _ arguments: String...) async throws -> Outcome {
    try await run(path, arguments)
  }

  package static func run(_ path: String, _ arguments: [String]) async throws -> Outcome {
    try await TestThread { try run([file(path)] + arguments) }.value
  }

  /// Runs Python code to its end. The output contains only standard output, for code that prints data.
  package static func run(code: String, _ arguments: [String]) async throws -> Outcome {
    try await TestThread { try run(["-c", code] + arguments, readsErrors: false) }.value
  }

  /// Runs a script of `Tests` that must succeed, and returns its standard output.
  ///
  /// - Parameter input: What a file contains whose path is the last argument. There is no such file if it is nil.
  package static func output(of path: String, _ arguments: String..., input: Data? = nil) async throws -> Data {
    let directory = try TemporaryDirectory()
    var command = ["python3", file(path)] + arguments
    if let input {
      let file = directory.path + "/input"
      try input.write(to: URL(fileURLWithPath: file))
      command.append(file)
    }
    let (end, output) = try await TestThread { [command] in try ChildProcess.run(command) }.value
    guard end == .exited(0) else { throw Failure(description: "\(path) has ended with \(end.status).") }
    return output
  }

  /// The file of a script or document of `Tests`.
  package static func file(_ path: String) -> String {
    let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    return tests.appendingPathComponent(path).path
  }

  private static func run(_ arguments: [String], readsErrors: Bool = true) throws -> Outcome {
    let (end, output) = try ChildProcess.run(["python3"] + arguments, errors: readsErrors ? .inOutput : .discarded)
    return Outcome(status: end.status, output: String(decoding: output, as: UTF8.self))
  }
}
