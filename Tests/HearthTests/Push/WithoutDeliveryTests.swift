import Testing

@testable import Hearth

@Suite(
  "A server without delivery, which tries a copy of the data",
  .enabled(if: PushServiceProcess.isAvailable, "Scripts/test installs the Python packages."),
  .timeLimit(.minutes(5))
)
struct WithoutDeliveryTests {
  @Test func `sends no mails, pushes or webhooks, and keeps them in their queues`() async throws {
    let service = try await PushServiceProcess()
    let configure: (inout Configuration) -> Void = { configuration in
      service.configure(&configuration, webhook: true)
      configuration.delivers = false
    }
    try await TestServer.run(configure: configure) { server in
      let story = try await PushStory(on: server, service)
      #expect(try await story.ada.parent.register(try await service.subscription("ada")).userErrors == [])
      try await story.finish()
      server.clock.advance(seconds: 60)
      #expect(try await server.mails().isEmpty)
      let waiting = try await story.queued()
      // For the browser and for the webhook.
      #expect(waiting[0] >= 2 && waiting[1] == 0, "\(waiting)")
      #expect(try server.rows("SELECT count(*) FROM mail WHERE sent_at IS NULL", columns: 1)[0][0] > 0)
      #expect(try await service.messages().isEmpty)
      #expect(try await service.attempts() == 0)
    }
  }
}
