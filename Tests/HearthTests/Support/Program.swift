import Foundation
import Glibc
import Synchronization
import TestSupport
import Testing

/// The built `hearth`, as a process of its own.
final class Program: Sendable {
  struct Result: Sendable {
    let status: Int32
    let wasKilled: Bool
    let output: String
    let errors: String
  }

  private let process: ChildProcess
  private let end: TestThread<ChildProcess.End>
  private let outputReader: TestThread<[UInt8]>
  private let errorReader: TestThread<[UInt8]>
  private let firstLine = Line()
  private let outputLines = Watched(0)
  private let errorLines = Watched(0)
  private let errorText = Watched("")

  static func executable() throws -> URL { URL(fileURLWithPath: try ChildProcess.besideTests("hearth")) }

  /// - Parameter executable: Another program than `hearth`.
  init(_ arguments: [String], environment: [String: String] = [:], executable: String? = nil) throws {
    let process = try ChildProcess(
      [try executable ?? Self.executable().path] + arguments,
      environment: ["HEARTH_PASSWORD_COST": "10", "HEARTH_CALLER_SHARE": "100"].merging(environment) { $1 },
      errors: .piped
    )
    let (firstLine, outputLines, errorLines, errorText) = (firstLine, outputLines, errorLines, errorText)
    self.process = process
    end = TestThread { process.wait() }
    outputReader = TestThread { try Self.read(process.output, firstLine: firstLine, lines: outputLines) }
    errorReader = TestThread { try Self.read(process.errors, lines: errorLines, text: errorText) }
  }

  /// Everything until the other side closes.
  private static func read(
    _ file: FileHandle?,
    firstLine: Line? = nil,
    lines: Watched<Int>,
    text: Watched<String>? = nil
  ) throws -> [UInt8] {
    var bytes: [UInt8] = []
    let descriptor = file?.fileDescriptor ?? -1
    while true {
      var some = [UInt8](repeating: 0, count: 65536)
      let count = Glibc.read(descriptor, &some, some.count)
      guard count > 0 else { break }
      bytes += some[..<count]
      lines.set(bytes.count { $0 == 0x0A })
      text?.set(String(decoding: bytes, as: UTF8.self))
      if let end = bytes.firstIndex(of: 0x0A) { firstLine?.set(String(decoding: bytes[..<end], as: UTF8.self)) }
    }
    firstLine?.set(String(decoding: bytes, as: UTF8.self))
    return bytes
  }

  /// Waits until the program has written so many lines to its output, and to its errors.
  func waitForLines(_ output: Int, errors: Int = 0) async {
    await outputLines.wait { $0 >= output }
    await errorLines.wait { $0 >= errors }
  }

  /// Waits until what the program has written to its errors meets a condition.
  func waitForErrors(_ isAwaited: @escaping @Sendable (String) -> Bool) async {
    await errorText.wait(until: isAwaited)
  }

  /// The port of a server, once it is ready.
  func port() async throws -> Int {
    let line = await firstLine.value
    let match = try #require(
      line.wholeMatch(of: /(?:Hearth is listening on|GraphQL is served at) http:\/\/127\.0\.0\.1:(\d+)\/graphql/),
      "\(line)"
    )
    return try #require(Int(match.1))
  }

  /// A server over the data in a folder, on a free port.
  static func serve(_ directory: TemporaryDirectory, _ more: String..., environment: [String: String] = [:]) throws
    -> Program
  {
    try Program(["serve", "--port", "0", "--data", directory.path] + more, environment: environment)
  }

  /// A test that failed leaves nothing running.
  deinit { process.signal(SIGKILL) }

  var processIdentifier: Int32 { process.id }

  func signal(_ number: Int32) { process.signal(number) }

  /// Waits for the end.
  func result() async throws -> Result {
    let end = try await end.value
    let wasKilled = if case .killed = end { true } else { false }
    return Result(
      status: end.status,
      wasKilled: wasKilled,
      output: String(decoding: try await outputReader.value, as: UTF8.self),
      errors: String(decoding: try await errorReader.value, as: UTF8.self)
    )
  }

  static func run(_ arguments: String..., environment: [String: String] = [:]) async throws -> Result {
    try await Program(arguments, environment: environment).result()
  }
}

/// A line that a test waits for.
private final class Line: Sendable {
  private let text = Mutex<String?>(nil)
  private let isThere = Gate()

  /// The first time counts.
  func set(_ line: String) {
    text.withLock { $0 = $0 ?? line }
    isThere.open()
  }

  var value: String {
    get async {
      await isThere.pass()
      return text.withLock { $0 ?? "" }
    }
  }
}
