import Foundation
import Synchronization

/// A package of `Examples`, built as a package of its own.
package final class ExamplePackage: Sendable {
  package struct BuildFailure: Error, CustomStringConvertible {
    package let description: String
  }

  /// The server of `Examples/hello-server`. Built in some three minutes on a fresh checkout, in seconds after.
  package static let helloServer = ExamplePackage("hello-server", scratch: "hello-server", program: "hello-server")

  /// The app's side of `Examples/clients/swift`. Built in a minute on a fresh checkout, in seconds after.
  package static let swiftClient = ExamplePackage("clients/swift", scratch: "clients/swift", program: "client-check")

  /// The Swift app of `Examples/tutorial`. Built in a minute on a fresh checkout, in seconds after.
  package static let tutorial = ExamplePackage("tutorial/swift", scratch: "tutorial", program: "family-terminal")

  private let folder: String
  private let scratch: String
  private let program: String
  private let built = Mutex<Result<String, BuildFailure>?>(nil)
  /// One package is built at a time, because a build uses all processors and gigabytes of memory.
  private static let building = Mutex(())

  private init(_ folder: String, scratch: String, program: String) {
    self.folder = folder
    self.scratch = scratch
    self.program = program
  }

  /// The path of its program, which is built once a process.
  package func executable() async throws -> String {
    try await TestThread { [self] in
      try built.withLock { built in
        let result = built ?? Self.building.withLock { _ in build() }
        built = result
        return try result.get()
      }
    }.value
  }

  private func build() -> Result<String, BuildFailure> {
    let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    let root = tests.deletingLastPathComponent()
    let scratch = root.appendingPathComponent(".build/\(scratch)").path
    do {
      // A build that hangs must not hang the tests.
      let command = [
        "timeout", "900", "swift", "build", "--package-path", root.appendingPathComponent("Examples/\(folder)").path,
        "--scratch-path", scratch, "--product", program, "--disable-index-store",
      ]
      let (end, output) = try ChildProcess.run(command, errors: .inOutput)
      let text = String(decoding: output, as: UTF8.self)
      // Compiler warnings in an example are errors of the example.
      guard end == .exited(0), !text.contains("/Examples/\(folder)/Sources") else {
        return .failure(BuildFailure(description: text))
      }
      return .success("\(scratch)/debug/\(program)")
    } catch {
      return .failure(BuildFailure(description: "\(error)"))
    }
  }
}
