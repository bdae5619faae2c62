import TestSupport
import Testing

@testable import Hearth

@Suite(
  "A collector that is down, slow, or returns garbage",
  .enabled(if: CollectorProcess.isAvailable, "Scripts/test installs the Python packages."),
  .timeLimit(.minutes(5))
)
struct ExporterTests {
  private static func run(
    mode: String,
    configure: (inout Configuration) -> Void = { _ in },
    _ body: (TestServer, CollectorProcess, TelemetryExporter) async throws -> Void
  ) async throws {
    let collector = try await CollectorProcess()
    try await collector.become(mode)
    try await TestServer.run(
      configure: {
        collector.configure(&$0)
        configure(&$0)
      }
    ) { server in
      let telemetry = try #require(server.telemetry)
      try await body(server, collector, telemetry)
      // A collector that does not answer must not delay the end of the server.
      try await collector.become("up")
    }
  }

  private func ask(_ count: Int, as client: Client) async throws {
    for _ in 0..<count { _ = try await client.post("query Name { family { name } }") }
  }

  @Test(arguments: ["down", "garbage", "limited"])
  func `what fails is sent again`(mode: String) async throws {
    try await Self.run(mode: mode, configure: { $0.telemetry.firstRetry = 200 }) { server, collector, telemetry in
      try await ask(1, as: server.visitor)
      try await collector.attempts(1)
      try await collector.become("up")
      #expect(try await collector.spans(1).contains { $0["name"] == "query Name" })
      while telemetry.counts.exported == 0 { await Task.yield() }
      #expect(telemetry.counts.dropped == 0)
    }
  }

  @Test(arguments: ["down", "rejecting", "garbage"])
  func `what the collector never takes is dropped and counted`(mode: String) async throws {
    try await Self.run(mode: mode, configure: { $0.telemetry.firstRetry = 1 }) { server, collector, telemetry in
      try await ask(1, as: server.visitor)
      while telemetry.counts.dropped == 0 { await Task.yield() }
      #expect(telemetry.counts.exported == 0)
      let metrics = try PrometheusMetrics(try await server.http.get("/metrics").text)
      #expect(metrics["hearth_trace_spans_total", ["outcome": "dropped"]] > 0)
    }
  }

  @Test func `a slow collector delays nothing, and the queue is bounded`() async throws {
    try await Self.run(mode: "slow", configure: { $0.telemetry.queueLimit = 10 }) { server, collector, telemetry in
      let visitor = server.visitor
      try await ask(1, as: visitor)
      try await collector.attempts(1)
      // The thread waits for the collector, so 10 of these wait and the others are dropped.
      try await ask(30, as: visitor)
      let spansOfOne = telemetry.counts.dropped / 20
      #expect(telemetry.counts.exported == 0)
      #expect(spansOfOne > 0 && telemetry.counts.dropped == 20 * spansOfOne)
    }
  }

  @Test func `the server ends although the collector does not answer`() async throws {
    let collector = try await CollectorProcess()
    try await collector.become("slow")
    try await TestServer.run(
      configure: {
        collector.configure(&$0)
        $0.telemetry.timeout = 3_600_000
      }
    ) { server in
      try await ask(1, as: server.visitor)
      try await collector.attempts(1)
    }
    try await collector.become("up")
  }

  @Test func `what is queued is sent when the server ends`() async throws {
    let collector = try await CollectorProcess()
    try await TestServer.run(
      configure: {
        collector.configure(&$0)
        $0.telemetry.batchInterval = 3_600_000
      }
    ) { server in try await ask(3, as: server.visitor) }
    #expect(try await collector.spans().count { $0["name"] == "query Name" } == 3)
  }

  @Test func `the metrics are those of /metrics`() async throws {
    try await Self.run(mode: "up", configure: { $0.telemetry.metricsInterval = 50 }) { server, collector, _ in
      try await ask(2, as: server.visitor)
      let exported = try await collector.metrics(2)
      let text = try await server.http.get("/metrics").text
      let declared = text.split(separator: "\n").filter { $0.hasPrefix("# TYPE ") }
        .map { $0.split(separator: " ").dropFirst(2).map(String.init) }
      guard case .object(let members) = exported else {
        Issue.record("\(exported)")
        return
      }
      #expect(Set(members.keys) == Set(declared.map { $0[0] }))
      let kinds = ["counter": "sum", "gauge": "gauge", "histogram": "histogram"]
      for line in declared { #expect(members[line[0]]?["kind"].string == kinds[line[1]], "\(line)") }
      let durations = try #require(members["hearth_graphql_request_duration_seconds"])
      #expect(durations["unit"] == "s" && durations["points"].list.count == 4)
      #expect((members["hearth_graphql_requests_total"]?["points.0.value"].int ?? 0) >= 2)
    }
  }

  @Test func `headers of the collector`() {
    #expect(TelemetryHeaders("a=b, c-d = e%2Cf=g")?.lines == ["a: b", "c-d: e,f=g"])
    for wrong in ["a", "=b", "a b=c", "a=b%0d%0ax: y", "a=%zz", "a:=b"] { #expect(TelemetryHeaders(wrong) == nil) }
    #expect("\(TelemetryHeaders("api-key=secret") as Any)".contains("secret") == false)
  }
}
