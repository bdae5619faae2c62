import Testing

@testable import Hearth

@Suite(
  "A device whose pushes fail does not delay others",
  .enabled(if: PushServiceProcess.isAvailable, "Scripts/test installs the Python packages."),
  .timeLimit(.minutes(5))
)
struct DeviceFailureTests {
  private static func google(_ name: String) -> Value {
    ["google": ["token": .string("registration-token:\(name)")]]
  }

  private static let badOfGoogle = "/v1/projects/home/messages:send/registration-token:bad"
  private static let token = String(repeating: "ab01", count: 16)

  /// RFC 8292, section 4.2: 403 for a subscription that was made with another key.
  @Test(arguments: [("web", "foreign"), ("web", "limited"), ("google", "unauthorized"), ("google", "limited")])
  func `a response that can concern one device`(channel: String, mode: String) async throws {
    try await PushStory.run { story in
      let isWeb = channel == "web"
      let bad = isWeb ? try await story.service.subscription("bad") : Self.google("bad")
      let good = isWeb ? try await story.service.subscription("good") : Self.google("good")
      let grace = try await Household("Grace Hopper", on: story.server)
      #expect(try await story.ada.parent.register(bad).userErrors == [])
      #expect(try await grace.parent.register(good).userErrors == [])
      try await story.service.become(mode, for: isWeb ? "/web/bad" : Self.badOfGoogle)
      try await story.notify(40)
      await story.server.deliverPushes()
      _ = try await story.ada.request(grace)
      #expect(try await story.queued() == [40, 0])
      let messages = try await story.service.messages()
      #expect(messages.count == 1 && messages[0]["to"].string?.hasSuffix("good") == true, "\(messages)")
      // One on each thread, before the device pauses. That for an access token is not one of them.
      let attempts = try await story.service.attempts() - story.service.grants
      #expect((1...4).contains(attempts), "\(attempts)")
      try await story.service.become("up", for: isWeb ? "/web/bad" : Self.badOfGoogle)
      await story.pass(minutes: 10)
      #expect(try await story.queued() == [0, 0])
    }
  }

  @Test func `a service that is down for one device is tried with another one`() async throws {
    try await PushStory.run { story in
      let grace = try await Household("Grace Hopper", on: story.server)
      _ = try await story.ada.parent.register(try await story.service.subscription("bad"))
      _ = try await grace.parent.register(try await story.service.subscription("good"))
      try await story.service.become("down", for: "/web/bad")
      try await story.notify(40)
      await story.server.deliverPushes()
      _ = try await story.ada.request(grace)
      #expect(try await story.queued() == [41, 0])
      story.server.clock.advance(seconds: 5)
      #expect(try await story.queued() == [40, 0])
      #expect(try await story.service.messages().map { $0["to"] } == ["good"])
    }
  }

  @Test func `a channel whose service is down is tried with the push that has failed least often`() async throws {
    try await PushStory.run { story in
      let grace = try await Household("Grace Hopper", on: story.server)
      _ = try await story.ada.parent.register(Self.google("bad"))
      _ = try await grace.parent.register(Self.google("good"))
      try await story.service.become("down", for: Self.badOfGoogle)
      try await story.notify(3)
      #expect(try await story.queued() == [3, 0])
      // All three are due, and the attempt at one of them fails.
      story.server.clock.advance(seconds: 30)
      #expect(try await story.queued() == [3, 0])
      _ = try await story.ada.request(grace)
      #expect(try await story.queued() == [4, 0])
      story.server.clock.advance(seconds: 10)
      #expect(try await story.queued() == [3, 0])
      #expect(try await story.service.messages().map { $0["to"] } == ["registration-token:good"])
    }
  }

  @Test func `a service that limits many devices of one member does not pause`() async throws {
    try await PushStory.run { story in
      let grace = try await Household("Grace Hopper", on: story.server)
      for number in 1...6 {
        _ = try await story.ada.parent.register(try await story.service.subscription("bad\(number)"))
      }
      _ = try await grace.parent.register(try await story.service.subscription("good"))
      try await story.service.become("limited", for: "/web/bad")
      try await story.finish()
      #expect(try await story.queued() == [6, 0])
      #expect(try await story.service.attempts() == 6)
      _ = try await story.ada.request(grace)
      #expect(try await story.queued() == [6, 0])
      #expect(try await story.service.messages().map { $0["to"] } == ["good"])
    }
  }

  @Test func `a service that limits several members in succession pauses`() async throws {
    try await PushStory.run { story in
      var children: [String] = []
      for number in 0..<12 {
        children.append(try await story.ada.addChild("Child \(number)", username: "child\(number)"))
        let child = try await story.ada.signIn("child\(number)")
        _ = try await child.register(try await story.service.subscription("child\(number)"))
      }
      try await story.service.become("limited", for: "/web/")
      let chore = try await story.ada.addChore("Walk the dog", for: children)
      _ = try await story.ada.setReminder(of: chore, at: "2026-11-21T08:00:30Z")
      story.server.clock.advance(seconds: 30)
      _ = try await story.service.attempts(5)
      #expect(try await story.queued() == [12, 0])
      // Three more threads can be sending.
      let attempts = try await story.service.attempts()
      #expect((5...8).contains(attempts), "\(attempts)")
      try await story.service.become("up", for: "/web/")
      await story.pass(minutes: 10)
      #expect(try await story.service.messages().count == 12)
      #expect(try await story.queued() == [0, 0])
    }
  }

  @Test(arguments: ["down", "environment"])
  func `Apple's sandbox, which any member can register a device of`(mode: String) async throws {
    try await PushStory.run { story in
      let grace = try await Household("Grace Hopper", on: story.server)
      let other = String(repeating: "cd23", count: 16)
      _ = try await story.ada.parent.register(["apple": ["token": .string(other), "sandbox": true]])
      _ = try await grace.parent.register(["apple": ["token": .string(Self.token)]])
      try await story.service.become(mode, for: "/sandbox/")
      try await story.finish()
      #expect(try await story.queued() == [1, 0])
      _ = try await story.ada.request(grace)
      #expect(try await story.queued() == [1, 0])
      #expect(try await story.service.messages().map { $0["to"] } == [.string(Self.token)])
      try await story.service.become("up", for: "/sandbox/")
      await story.pass(minutes: 5)
      #expect(try await story.service.messages().map { $0["to"] } == [.string(Self.token), .string(other)])
    }
  }

  @Test func `a device of another app stays, because the app can be wrong in the settings`() async throws {
    try await PushStory.run { story in
      let parent = story.ada.parent
      _ = try await parent.register(["apple": ["token": .string(Self.token)]])
      _ = try await parent.register(Self.google("phone"))
      for path in ["/3/", "/v1/"] { try await story.service.become("foreign", for: path) }
      try await story.finish()
      #expect(try await story.queued() == [0, 2])
      #expect(try await parent.deviceNames().count == 2)
      for path in ["/3/", "/v1/"] { try await story.service.become("up", for: path) }
      try await story.finish("Dust")
      #expect(Set(try await story.service.messages(2).map { $0["kind"] }) == ["apple", "google"])
    }
  }

  @Test func `a malformed registration token is removed, and not that of a malformed message`() async throws {
    try await PushStory.run { story in
      let parent = story.ada.parent
      _ = try await parent.register(Self.google("bad"))
      try await story.service.become("rejecting", for: "/v1/")
      try await story.finish()
      #expect(try await story.queued() == [0, 1])
      #expect(try await parent.deviceNames().count == 1)
      try await story.service.become("malformed", for: "/v1/")
      try await story.finish("Dust")
      #expect(try await story.queued() == [0, 0])
      #expect(try await parent.deviceNames() == [])
    }
  }
}
