import Foundation
import TestSupport
import Testing

@testable import Hearth

@Suite(
  "Operators see the queue of notifications, and send again what has failed",
  .enabled(if: PushServiceProcess.isAvailable, "Scripts/test installs the Python packages."),
  .timeLimit(.minutes(5))
)
struct PushControlTests {
  fileprivate static func json(_ words: String..., on server: TestServer) async throws -> Value {
    let result = try await Program(words + ["--json", "--data", server.directory.path]).result()
    try #require(result.status == 0, "\(words): \(result.errors)")
    return try Value(Array(result.output.utf8))
  }

  @Test func `a failed notification is listed with its reason, and sent again by the command`() async throws {
    try await PushStory.run(webhook: true) { story in
      let server = story.server
      try await story.service.become("down")
      try await story.finish()
      let createdAt = server.clock.clock.now()
      #expect(try await story.queued() == [1, 0])
      var queue = try await Self.json("push", "queue", on: server)
      #expect(queue["pushes.0.state"] == "retrying" && queue["pushes.0.channel"] == "webhook")
      #expect(queue["pushes.0.type"] == "ChoreFinishedNotification")
      let channel = try #require(queue["channels"].list.first { $0["channel"] == "webhook" })
      #expect(channel["waiting"] == 1 && channel["lastFailure"] == "The webhook answered 503.")
      #expect(channel["pausedUntil"] == "2026-11-21T08:00:05Z")
      server.clock.advance(days: 4)
      #expect(try await story.queued() == [0, 1])
      queue = try await Self.json("push", "queue", on: server)
      #expect(queue["pushes.0.state"] == "failed")
      #expect(queue["pushes.0.failure"] == "It could not be delivered for days.")
      let status = try await Self.json("status", on: server)
      #expect(status["queues.pushes"].list.first { $0["channel"] == "webhook" }?["failed"] == 1)
      let metrics = try PrometheusMetrics(try await server.http.get("/metrics").text)
      #expect(metrics["hearth_pushes", ["channel": "webhook", "state": "failed"]] == 1)
      #expect(metrics["hearth_push_attempts_total", ["channel": "webhook", "outcome": "failed"]] >= 1)
      try await story.service.become("up")
      #expect(try await Self.json("push", "retry", "--failed", on: server) == ["pushes": 1])
      let messages = try await story.service.messages(1)
      // Equal in all attempts, so not with a time of the retry.
      #expect(messages.count == 1 && messages[0]["id"].string?.hasSuffix("-\(createdAt)") == true, "\(messages)")
      #expect(try await story.queued() == [0, 0])
      let number = try await Program(["push", "retry", "77", "--data", server.directory.path]).result()
      #expect(number.errors == "Error: No notification with the number 77 has failed or is tried again later.\n")
    }
  }

  @Test func `settings are checked, and secrets are not printed`() throws {
    var configuration = Configuration()
    let url = ["HEARTH_WEBHOOK_URL": "https://home.example/hook"]
    let short = url.merging(["HEARTH_WEBHOOK_SECRET": "c2hvcnQ="]) { $1 }
    for variables in [url, short, ["HEARTH_WEBHOOK_URL": "http://home.example/hook"]] {
      #expect(throws: InvalidSetting.self) { try ServerSetting.configure(&configuration, from: variables) }
    }
    let text = "whsec_" + Data(repeating: 7, count: 24).base64EncodedString()
    let good = url.merging(["HEARTH_WEBHOOK_SECRET": text]) { $1 }
    try ServerSetting.configure(&configuration, from: good)
    #expect(configuration.push.webhook?.secret?.bytes == Array(repeating: 7, count: 24))
    #expect(!"\(configuration)".contains("[7, 7") && !String(reflecting: configuration).contains("7, 7"))
    for variable in ["HEARTH_APPLE_PUSH_KEY", "HEARTH_GOOGLE_PUSH_ACCOUNT"] {
      var other = Configuration()
      let error = #expect(throws: InvalidSetting.self) {
        try ServerSetting.configure(&other, from: [variable: "/nowhere"])
      }
      #expect(error?.message.contains("/nowhere, which cannot be read: No such file or directory.") == true)
    }
    var other = Configuration()
    let error = #expect(throws: InvalidSetting.self) {
      try ServerSetting.configure(&other, from: ["HEARTH_WEBHOOK_SECRET": text])
    }
    #expect(error?.message.contains("needs HEARTH_WEBHOOK_URL") == true)
  }
}

@Suite(
  "Operators send notifications again at any of several servers",
  .enabled(if: PushServiceProcess.isAvailable, "Scripts/test installs the Python packages."),
  .enabled(if: PostgreSQLCluster.isInstalled, "Scripts/install-postgresql installs PostgreSQL."),
  .timeLimit(.minutes(5))
)
struct PostgreSQLPushControlTests {
  @Test(arguments: DatabaseHints.allCases)
  func `the command ends the pause of the server that sends, whichever runs it`(hints: DatabaseHints) async throws {
    let service = try await PushServiceProcess()
    let configure: (inout Configuration) -> Void = {
      service.configure(&$0, webhook: true)
      $0.databaseHints = hints
    }
    try await TestServer.runSeveral(2, configure: configure) { servers in
      let story = try await PushStory(on: servers[0], service)
      let holders = servers.filter { $0.services.leases.holds("push webhook") }
      let holder = try #require(holders.count == 1 ? holders[0] : nil)
      let other = try #require(servers.first { $0.port != holder.port })
      try await service.become("down")
      try await story.finish()
      _ = try await service.attempts(1)
      await holder.deliverPushes()
      #expect(holder.pushes.channels.contains { $0.counts.pausedUntil != nil })
      try await service.become("up")
      #expect(try await PushControlTests.json("push", "retry", on: other) == ["pushes": 1])
      // A process does so every 30 seconds, and gets no message.
      if hints == .poll { holder.services.follower?.read(.resumedPushes) }
      #expect(try await service.messages(1).count == 1)
    }
  }
}
