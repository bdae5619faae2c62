import Foundation
import TestSupport
import Testing

@testable import Hearth

/// A collector as a process of its own, which reads with the OpenTelemetry project's messages:
/// `Tests/Telemetry/collector.py`.
///
/// `@unchecked Sendable`: one test has it, and what is not set by `init` goes through the system's calls.
final class CollectorProcess: @unchecked Sendable {
  static let isAvailable =
    (try? Python.run(["-c", "import google.protobuf, opentelemetry.proto.trace.v1.trace_pb2"]))?.status == 0

  let port: Int
  private let process = Process()
  private let input = Pipe()

  init() async throws {
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3", Checkout.root.appendingPathComponent("Tests/Telemetry/collector.py").path]
    let output = Pipe()
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    let reading = output.fileHandleForReading
    let line = try await TestThread {
      var line: [UInt8] = []
      while !line.contains(UInt8(ascii: "\n")), case let data = reading.availableData, !data.isEmpty { line += data }
      return line
    }.value
    port = try #require(try Value(line).int)
  }

  deinit {
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
  }

  /// Has a server send everything here, soon.
  func configure(_ configuration: inout Configuration) {
    configuration.telemetry.endpoint = WebURL("http://127.0.0.1:\(port)")
    configuration.telemetry.headers = TelemetryHeaders("api-key=a%20key") ?? TelemetryHeaders()
    configuration.telemetry.ratio = 1
    configuration.telemetry.batchInterval = 10
    configuration.telemetry.firstRetry = 10
  }

  private func control(_ command: Value) async throws -> Value {
    let answer = try await HTTPClient(port: port).send("POST", "/control", body: Array(command.text.utf8))
    try #require(answer.status == 200, "\(answer.text)")
    let state = try Value(answer.body)
    try #require(state["wrong"].list == [], "\(state["wrong"])")
    return state
  }

  /// `up`, `down`, `slow`, `garbage`, `limited` or `rejecting`.
  func become(_ mode: String) async throws { _ = try await control(["mode": .string(mode)]) }

  /// The spans that arrived, once there are `count`.
  func spans(_ count: Int = 0) async throws -> [Value] {
    try await control(["spans": .number(Double(count))])["spans"].list
  }

  /// Returns when as many requests have arrived, answered or not.
  func attempts(_ count: Int) async throws { _ = try await control(["attempts": .number(Double(count))]) }

  /// The metrics of the last export, once there are `count`.
  func metrics(_ count: Int) async throws -> Value {
    try #require(try await control(["metrics": .number(Double(count))])["metrics"].list.last)
  }
}
