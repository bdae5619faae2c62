import Foundation
import Testing

@testable import Hearth

@Suite(
  "Operators see the queue of notifications, and send again what has failed",
  .enabled(if: PushServiceProcess.isAvailable, "Python has not the packages of Tests/requirements.txt."),
  .timeLimit(.minutes(5))
)
struct PushControlTests {
  private func json(_ words: String..., on server: TestServer) async throws -> Value {
    let result = try await Program(words + ["--json", "--data", server.directory.path]).result()
    try #require(result.status == 0, "\(words): \(result.errors)")
    return try Value(Array(result.output.utf8))
  }

  @Test func `a failed notification is listed with its reason, and sent again by the command`() async throws {
    try await PushStory.run(webhook: true) { story in
      let server = story.server
      try await story.service.become("down")
      try await story.finish()
      #expect(try await story.queued() == [1, 0])
      var queue = try await json("push", "queue", on: server)
      #expect(queue["pushes.0.state"] == "retrying" && queue["pushes.0.channel"] == "webhook")
      #expect(queue["pushes.0.type"] == "ChoreFinishedNotification")
      let channel = try #require(queue["channels"].list.first { $0["channel"] == "webhook" })
      #expect(channel["waiting"] == 1 && channel["lastFailure"] == "The webhook answered 503.")
      #expect(channel["pausedUntil"] == "2026-11-21T08:00:05Z")
      server.clock.advance(days: 4)
      #expect(try await story.queued() == [0, 1])
      queue = try await json("push", "queue", on: server)
      #expect(queue["pushes.0.state"] == "failed")
      #expect(queue["pushes.0.failure"] == "It could not be delivered for days.")
      let status = try await json("status", on: server)
      #expect(status["queues.pushes"].list.first { $0["channel"] == "webhook" }?["failed"] == 1)
      let metrics = try PrometheusMetrics(try await server.http.get("/metrics").text)
      #expect(metrics["hearth_pushes", ["channel": "webhook", "state": "failed"]] == 1)
      #expect(metrics["hearth_push_attempts_total", ["channel": "webhook", "outcome": "failed"]] >= 1)
      try await story.service.become("up")
      #expect(try await json("push", "retry", "--failed", on: server) == ["pushes": 1])
      #expect(try await story.service.messages(1).count == 1)
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
    for variables in [["HEARTH_APPLE_PUSH_KEY": "/nowhere"], ["HEARTH_GOOGLE_PUSH_ACCOUNT": "/nowhere"]] {
      #expect(throws: InvalidSetting.self) { try ServerSetting.configure(&configuration, from: variables) }
    }
  }
}
