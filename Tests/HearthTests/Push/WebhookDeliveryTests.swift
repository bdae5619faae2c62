import TestSupport
import Testing

@testable import Hearth

@Suite(
  "The webhook receives every notification",
  .enabled(if: PushServiceProcess.isAvailable, "Scripts/test installs the Python packages."),
  .timeLimit(.minutes(5))
)
struct WebhookDeliveryTests {
  @Test func `also one that its recipient has read before, which devices do not get any more`() async throws {
    try await PushStory.run(webhook: true) { story in
      try await story.service.become("down")
      _ = try await story.ada.parent.register(try await story.service.subscription("ada"))
      try await story.finish()
      #expect(try await story.queued() == [2, 0])
      _ = try await story.ada.parent.perform(Documents.markRead)
      try await story.service.become("up")
      await story.pass(minutes: 60)
      let messages = try await story.service.messages(1)
      #expect(messages.map { $0["kind"] } == ["webhook"])
      #expect(messages[0]["payload.data.message"] == "Mia has finished a chore: Feed the cat.")
      #expect(try await story.queued() == [0, 0])
    }
  }

  @Test func `also one that waited while the server was down, which is too old for devices`() async throws {
    let (directory, service) = (try TemporaryDirectory(), try await PushServiceProcess())
    let configure = { @Sendable (configuration: inout Configuration) in
      service.configure(&configuration, webhook: true)
    }
    try await service.become("down")
    try await TestServer.run(in: directory, configure: configure) { server in
      let story = try await PushStory(on: server, service)
      _ = try await story.ada.parent.register(try await service.subscription("ada"))
      try await story.finish()
      #expect(try await story.queued() == [2, 0])
    }
    try await service.become("up")
    try await TestServer.run(in: directory, startingLater: 5 * 86_400, configure: configure) { server async throws in
      await server.deliverPushes()
      #expect(try await service.messages(1).map { $0["kind"] } == ["webhook"])
      #expect(try server.rows("SELECT count(due_at), count(failed_at) FROM push", columns: 2) == [[0, 1]])
    }
  }

  @Test func `a notification that was tried while the clock was ahead is sent when the clock is right`() async throws {
    try await PushStory.run(webhook: true) { story in
      try await story.service.become("down")
      story.server.clock.advance(days: 20)
      try await story.notify(1)
      #expect(try await story.queued() == [1, 0])
      try await story.service.become("up")
      story.server.clock.advance(days: -20)
      await story.server.deliverPushes()
      story.server.clock.advance(seconds: 1)
      await story.server.deliverPushes()
      #expect(try await story.service.messages(1).count == 1)
      #expect(try await story.queued() == [0, 0])
    }
  }
}
