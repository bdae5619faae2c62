import Foundation
import Glibc
import TestSupport
import Testing

@testable import Hearth

@Suite("/metrics", .timeLimit(.minutes(20)))
struct MetricsTests {
  private static func metrics(_ http: HTTPClient) async throws -> PrometheusMetrics {
    let answer = try await http.get("/metrics")
    #expect(answer.status == 200)
    #expect(answer.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8")
    return try PrometheusMetrics(answer.text)
  }

  @Test func `every metric is in the guide, with its type, labels and meaning`() async throws {
    try await TestServer.run { server in
      let metrics = try await Self.metrics(server.http)
      let rows = metrics.families.map { family in
        ["`\(family.name)`", family.type, family.labels.map { "`\($0)`" }.joined(separator: ", "), family.help]
      }
      if TestOptions.updatesSnapshots {
        try Document("Documentation/operating.md").replaceTable(under: "Metrics", with: rows)
      }
      #expect(try Document("Documentation/operating.md").table(under: "Metrics") == rows)
    }
  }

  @Test func `requests are counted by outcome, with their durations`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let before = try await Self.metrics(server.http)
      for _ in 0..<3 { _ = try await ada.parent.ask("{ family { name } }") }
      for _ in 0..<2 { _ = try await server.visitor.post("{ __typename }") }
      _ = try await server.visitor.post("{ family { name } }")
      _ = try await server.visitor.post("{ nonsense }")
      let after = try await Self.metrics(server.http)
      for (outcome, count) in [("ok", 5), ("error", 1), ("rejected", 1), ("failed", 0)] as [(String, Double)] {
        let name = "hearth_graphql_request_duration_seconds_count"
        let more = after[name, ["outcome": outcome]] - before[name, ["outcome": outcome]]
        #expect(more == count, "\(outcome)")
      }
      #expect(after["hearth_graphql_request_duration_seconds_sum", ["outcome": "ok"]] > 0)
      #expect(after["hearth_graphql_requests_total"] - before["hearth_graphql_requests_total"] == 7)
    }
  }

  @Test(.onlySQLite("Elsewhere the file is a copy."))
  func `a request with internal errors of its fields is counted once as a failure`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let photo = ["photo": SamplePicture.png()]
      _ = try await ada.parent.perform(Documents.addItem, ["name": "Tent"], files: photo)
      let file = "\(server.directory.path)/media/\(try #require(server.pictureFiles.first))"
      // A link to itself cannot be opened, not even by root.
      try FileManager.default.removeItem(atPath: file)
      try FileManager.default.createSymbolicLink(atPath: file, withDestinationPath: file)
      let before = try await Self.metrics(server.http)
      #expect(before["hearth_graphql_failures_total"] == 0)
      let answer = try await ada.parent.ask("mutation { a: exportMyData { url } b: exportMyData { url } }")
      #expect(answer["errors.0.extensions.code"] == "INTERNAL_SERVER_ERROR", "\(answer)")
      let after = try await Self.metrics(server.http)
      #expect(after["hearth_graphql_failures_total"] == 1)
      let name = "hearth_graphql_request_duration_seconds_count"
      for (outcome, count) in [("error", 1), ("failed", 0)] as [(String, Double)] {
        #expect(after[name, ["outcome": outcome]] - before[name, ["outcome": outcome]] == count, "\(outcome)")
      }
    }
  }

  @Test func `connections, subscriptions, commits, mails, reminders, sizes and versions are reported`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let live = try await LiveSocket.open(server.port)
      try await live.initialize(ada.parent.token)
      try await live.subscribe("1", "subscription { familyChanged { __typename } }")
      // A subscription without a position gets the events after its beginning.
      try await waitUntil("The subscription has begun.") {
        try await Self.metrics(server.http)["hearth_subscriptions"] == 1
      }
      let chore = try await ada.addChore()
      _ = try await live.receive()
      _ = try await ada.setReminder(of: chore, at: "2026-11-21T08:01:00Z")
      server.clock.advance(seconds: 63)
      var metrics = try await Self.metrics(server.http)
      try await waitUntil("The reminder is delivered.") {
        metrics = try await Self.metrics(server.http)
        return metrics["hearth_reminder_lateness_seconds_count"] == 1
      }
      #expect(metrics["hearth_reminder_lateness_seconds_sum"] == 3)
      #expect(metrics["hearth_websockets"] == 1 && metrics["hearth_subscriptions"] == 1)
      #expect(metrics["hearth_event_streams"] == 0 && metrics["hearth_connections"] >= 2)
      #expect(metrics["hearth_write_commit_duration_seconds_count"] > 3)
      #expect(metrics["hearth_queue_length", ["queue": "writes"]] == 0)
      #expect(metrics["hearth_data_bytes", ["part": "database"]] > 100_000)
      // PostgreSQL's log is that of all its databases.
      #expect((metrics["hearth_data_bytes", ["part": "log"]] > 0) == (server.database != .postgresql))
      #expect(metrics["hearth_ready"] == 1 && metrics["hearth_read_only"] == 0)
      #expect(metrics["process_resident_memory_bytes"] > 1_000_000 && metrics["process_open_fds"] > 3)
      let build = try #require(metrics.samples.first { $0.name == "hearth_build_info" })
      #expect(build.labels["version"] == HearthVersion.current && build.labels["sqlite"]?.hasPrefix("3.") == true)
      try await waitUntil("The delay of the second loop is measured.") {
        metrics = try await Self.metrics(server.http)
        return metrics["hearth_loop_delay_seconds_count", ["loop": "1"]] != 0
      }
      try live.socket.close()
      while metrics["hearth_websockets"] != 0 || metrics["hearth_subscriptions"] != 0 {
        metrics = try await Self.metrics(server.http)
      }
    }
  }
}
