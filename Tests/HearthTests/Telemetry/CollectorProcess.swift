import Foundation
import TestSupport
import Testing

@testable import Hearth

/// A collector as a process of its own, which reads with the OpenTelemetry project's messages:
/// `Tests/Telemetry/collector.py`.
final class CollectorProcess: Sendable {
  static let isAvailable = PythonScript.has("google.protobuf", "opentelemetry.proto.trace.v1.trace_pb2")

  let port: Int
  private let server: PythonServer

  init() async throws {
    let server = try await PythonServer("Telemetry/collector.py")
    self.server = server
    port = try #require(Int(server.announced), "\(server.announced)")
  }

  /// Has a server send everything here, soon.
  func configure(_ configuration: inout Configuration) {
    configuration.telemetry.endpoint = WebURL("http://127.0.0.1:\(port)")
    configuration.telemetry.headers = TelemetryHeaders("api-key=a%20key") ?? TelemetryHeaders()
    configuration.telemetry.ratio = 1
    configuration.telemetry.batchInterval = 10
    configuration.telemetry.firstRetry = 10
    // A busy machine can delay the collector. What it has received must not be sent again.
    configuration.telemetry.timeout = 120_000
  }

  private func control(_ command: Value) async throws -> Value {
    // An answer comes when what is waited for has arrived. The suites' time limit is 300 seconds.
    let client = HTTPClient(port: port, timeout: .seconds(280))
    let answer = try await client.send("POST", "/control", body: Array(command.text.utf8))
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
