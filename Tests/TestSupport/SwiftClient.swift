import Foundation
import Synchronization

/// The Swift client of `Examples/clients/swift`, built as a package of its own, as an app would build it.
package enum SwiftClient {
  package struct BuildFailure: Error, CustomStringConvertible {
    package let description: String
  }

  private static let built = Mutex<Result<String, BuildFailure>?>(nil)

  /// The path of its program `client-check`. Built once a process; a minute on a fresh checkout, seconds after.
  package static func check() async throws -> String {
    try await TestThread { try built.withLock { try ($0 ?? keep(build(), in: &$0)).get() } }.value
  }

  private static func keep(
    _ result: Result<String, BuildFailure>,
    in place: inout Result<String, BuildFailure>?
  ) -> Result<String, BuildFailure> {
    place = result
    return result
  }

  private static func build() -> Result<String, BuildFailure> {
    let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    let root = tests.deletingLastPathComponent()
    let scratch = root.appendingPathComponent(".build/clients/swift").path
    let package = root.appendingPathComponent("Examples/clients/swift").path
    do {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      // What is built is small, and a build that hangs must not hang the tests.
      process.arguments = [
        "timeout", "300", "swift", "build", "--package-path", package, "--scratch-path", scratch,
        "-Xswiftc", "-warnings-as-errors",
      ]
      let output = Pipe()
      process.standardOutput = output
      process.standardError = output
      try process.run()
      let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      process.waitUntilExit()
      guard process.terminationStatus == 0 else { return .failure(BuildFailure(description: text)) }
      return .success(scratch + "/debug/client-check")
    } catch {
      return .failure(BuildFailure(description: "\(error)"))
    }
  }
}
