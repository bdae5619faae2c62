import TestSupport
import Testing

@testable import Hearth

@Suite(
  "A push service that is down, slow, or returns garbage",
  .enabled(if: PushServiceProcess.isAvailable, "Scripts/test installs the Python packages."),
  .timeLimit(.minutes(5))
)
struct OutageTests {
  @Test func `down for an hour: few attempts, nothing lost, each sent once when it is up`() async throws {
    try await PushStory.run(webhook: true) { story in
      try await story.service.become("down")
      _ = try await story.ada.parent.register(try await story.service.subscription("ada"))
      try await story.notify(40)
      await story.server.deliverPushes()
      await story.pass(minutes: 60)
      #expect(try await story.queued() == [80, 0])
      // Without pauses there would be thousands.
      #expect(try await story.service.attempts() < 200)
      try await story.service.become("up")
      await story.pass(minutes: 120)
      let messages = try await story.service.messages(80)
      #expect(messages.count == 80)
      #expect(Set(messages.filter { $0["kind"] == "webhook" }.map { $0["id"] }).count == 40)
      #expect(Set(messages.filter { $0["kind"] == "web" }.map { $0["payload.id"] }).count == 40)
      #expect(try await story.queued() == [0, 0])
    }
  }

  @Test func `down for some minutes: a reminder that is snoozed meanwhile is pushed once`() async throws {
    try await PushStory.run { story in
      try await story.service.become("down")
      _ = try await story.ada.parent.register(try await story.service.subscription("ada"))
      let chore = try await story.ada.addChore("Walk the dog")
      let reminder = try await story.ada.setReminder(of: chore, at: "2026-11-21T08:00:30Z")
      story.server.clock.advance(seconds: 30)
      _ = try await story.service.attempts(1)
      // Each delay is twice as long as the one before.
      for seconds in [30, 60, 120, 240, 480] as [Int64] {
        #expect(try await story.queued() == [1, 0])
        story.server.clock.advance(seconds: seconds)
      }
      #expect(try await story.queued() == [1, 0])
      #expect(try await story.service.attempts() == 6)
      // The next attempt is in 16 minutes, when the reminder is already due again.
      let answer: Value = ["input": ["id": .string(reminder), "answer": "SNOOZE_10_MINUTES"]]
      #expect(try await story.ada.parent.perform(Documents.answerReminder, answer).userErrors == [])
      try await story.service.become("up")
      story.server.clock.advance(seconds: 660)
      #expect(try await story.service.messages(1).count == 1)
      #expect(try await story.queued() == [1, 0])
      story.server.clock.advance(seconds: 600)
      #expect(try await story.queued() == [0, 0])
      let messages = try await story.service.messages()
      #expect(messages.map { $0["payload.message"] } == ["It is time: Walk the dog."])
    }
  }

  @Test func `Apple's service is down and its sandbox is up: nothing is tried during the pause`() async throws {
    try await PushStory.run { story in
      let grace = try await Household("Grace Hopper", on: story.server)
      let tokens = ["ab01", "cd23", "ef45"].map { digits in Value.string(String(repeating: digits, count: 16)) }
      _ = try await story.ada.parent.register(["apple": ["token": tokens[0], "sandbox": true]])
      _ = try await story.ada.parent.register(["apple": ["token": tokens[1]]])
      _ = try await grace.parent.register(["apple": ["token": tokens[2]]])
      try await story.service.become("down", for: "/3/")
      // The pushes to both devices are due at once, so they are in one batch.
      try await story.finish()
      #expect(try await story.queued() == [1, 0])
      #expect(try await story.service.messages().map { $0["to"] } == [tokens[0]])
      #expect(try await story.service.attempts() == 1)
      _ = try await story.ada.request(grace)
      #expect(try await story.queued() == [2, 0])
      #expect(try await story.service.attempts() == 1)
      try await story.service.become("up", for: "/3/")
      await story.pass(minutes: 5)
      #expect(try await story.service.messages(3).count == 3)
      #expect(try await story.queued() == [0, 0])
    }
  }

  @Test func `slow: other channels and requests do not wait`() async throws {
    try await PushStory.run(webhook: true) { story in
      try await story.service.become("slow", for: "/web/")
      _ = try await story.ada.parent.register(try await story.service.subscription("ada"))
      try await story.finish()
      #expect(try await story.service.messages(1).map { $0["kind"] } == ["webhook"])
      // The web channel still waits for its response while chores are finished and the webhook hears of them.
      for chore in ["Dust", "Sweep", "Iron"] { try await story.finish(chore) }
      #expect(try await story.service.messages(4).allSatisfy { $0["kind"] == "webhook" })
      try await story.service.become("up", for: "/web/")
      #expect(try await story.service.messages(8).count { $0["kind"] == "web" } == 4)
    }
  }

  @Test(arguments: ["garbage", "limited"])
  func `a response that is not valid, or that asks to wait: tried again`(mode: String) async throws {
    try await PushStory.run(webhook: true) { story in
      try await story.service.become(mode)
      _ = try await story.ada.parent.register(try await story.service.subscription("ada"))
      let token = String(repeating: "ab01", count: 16)
      _ = try await story.ada.parent.register(["apple": ["token": .string(token)]])
      _ = try await story.ada.parent.register(["google": ["token": "registration-token:of-a-phone"]])
      try await story.finish()
      await story.server.deliverPushes()
      #expect(try await story.service.messages().isEmpty)
      #expect(try await story.queued() == [4, 0])
      try await story.service.become("up")
      await story.pass(minutes: 15)
      #expect(
        Set(try await story.service.messages(4).map { $0["kind"] }) == ["web", "webhook", "apple", "google"]
      )
    }
  }

  @Test func `an endless response has arrived, and a rejected message does not hold up others`() async throws {
    try await PushStory.run(webhook: true) { story in
      _ = try await story.ada.parent.register(try await story.service.subscription("ada"))
      try await story.service.become("huge")
      try await story.finish()
      #expect(try await story.service.messages(2).count == 2)
      #expect(try await story.queued() == [0, 0])
      try await story.service.become("up")
      try await story.service.become("rejecting", for: "/web/")
      try await story.finish("Dust")
      #expect(try await story.queued() == [0, 1])
      try await story.service.become("up", for: "/web/")
      try await story.finish("Sweep")
      #expect(try await story.service.messages(5).count { $0["kind"] == "web" } == 2)
    }
  }

  @Test func `the queue of a device is bounded, and keeps the newest`() async throws {
    try await PushStory.run { story in
      try await story.service.become("down")
      _ = try await story.ada.parent.register(try await story.service.subscription("ada"))
      try await story.notify(150)
      #expect(try await story.queued() == [100, 0])
      #expect(try story.server.rows("SELECT queued FROM device", columns: 1) == [[100]])
      let oldest =
        "SELECT count(*) FROM push WHERE subject_id <= (SELECT id FROM notification ORDER BY id LIMIT 1 OFFSET 49)"
      #expect(try story.server.rows(oldest, columns: 1) == [[0]])
    }
  }

  @Test func `what was not sent for days is given up`() async throws {
    try await PushStory.run(webhook: true) { story in
      try await story.service.become("down")
      _ = try await story.ada.parent.register(try await story.service.subscription("ada"))
      try await story.finish()
      await story.server.deliverPushes()
      for days in [2, 2] as [Int64] {
        story.server.clock.advance(days: days)
        await story.server.deliverPushes()
      }
      #expect(try await story.queued() == [0, 2])
    }
  }

  @Test func `a server that ends while it sends, sends again: with the same id`() async throws {
    let directory = try TemporaryDirectory()
    let service = try await PushServiceProcess()
    let configure = { @Sendable (configuration: inout Configuration) in
      service.configure(&configuration, webhook: true)
    }
    try await service.become("slow")
    try await TestServer.run(in: directory, configure: configure) { server in
      let story = try await PushStory(on: server, service)
      _ = try await story.ada.parent.register(try await service.subscription("ada"))
      try await story.finish()
      _ = try await service.attempts(2)
    }
    // The first attempts have arrived, although the server received no responses.
    try await service.become("up")
    _ = try await service.messages(2)
    try await TestServer.run(in: directory, startingLater: 60, configure: configure) { server in
      await server.deliverPushes()
      let messages = try await service.messages(4)
      #expect(Set(messages.filter { $0["kind"] == "webhook" }.map { $0["id"] }).count == 1)
      #expect(Set(messages.filter { $0["kind"] == "web" }.map { $0["topic"] }).count == 1)
      #expect(messages.count == 4)
    }
  }

  @Test func `without the webhook's setting its queue is emptied at the next start`() async throws {
    let directory = try TemporaryDirectory()
    let service = try await PushServiceProcess()
    try await service.become("down")
    try await TestServer.run(in: directory, configure: { service.configure(&$0, webhook: true) }) { server in
      let story = try await PushStory(on: server, service)
      try await story.finish()
      #expect(try await story.queued() == [1, 0])
    }
    let log = RecordedLog()
    try await TestServer.run(in: directory, log: log.logger) { server async throws in
      let lines = log.messages.filter { $0.hasPrefix("HEARTH_WEBHOOK_URL is not set any more") }
      #expect(lines.count == 1 && lines[0].contains(#""count": 1"#), "\(lines)")
      #expect(try server.rows("SELECT count(*) FROM push", columns: 1) == [[0]])
      #expect(try server.rows("SELECT count(*) FROM device", columns: 1) == [[0]])
    }
  }
}
