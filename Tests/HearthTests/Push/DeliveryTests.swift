import Testing

@testable import Hearth

@Suite(
  "Notifications reach devices whose app is closed",
  .enabled(if: PushServiceProcess.isAvailable, "Scripts/test installs the Python packages."),
  .timeLimit(.minutes(5))
)
struct DeliveryTests {
  @Test func `a browser gets an encrypted message, signed with the key that the API shows`() async throws {
    try await PushStory.run { story in
      #expect(try await story.ada.parent.register(try await story.service.subscription("ada")).userErrors == [])
      try await story.finish()
      let message = try await story.service.messages(1)[0]
      let key = try await story.ada.parent.ask("{ webPushKey }")["data.webPushKey"]
      #expect(message["key"] == key)
      let notification = try await story.ada.parent.ask(
        "{ viewer { ... on Account { notifications { nodes { id message createdAt } } } } }"
      )["data.viewer.notifications.nodes.0"]
      #expect(message["payload.id"] == notification["id"] && message["topic"] == notification["id"])
      #expect(message["payload.message"] == "Mia has finished a chore: Feed the cat.")
      #expect(message["payload.message"] == notification["message"])
      #expect(message["payload.type"] == "ChoreFinishedNotification")
      let expires = try #require(message["expires"].int)
      // The tests' clock is at 1,795,248,000.
      #expect(expires > 1_795_248_000 && expires <= 1_795_248_000 + 86_400)
      // The same size as another short one.
      try await story.finish("Dust")
      #expect(try await story.service.messages(2)[1]["bytes"] == message["bytes"])
      #expect(try await story.queued() == [0, 0])
    }
  }

  /// RFC 8030, section 7.3: 404 for an expired subscription; services in use answer 410 for one that was ended.
  @Test(arguments: ["missing", "gone"])
  func `a browser's subscription that the push service no longer has is removed`(mode: String) async throws {
    try await PushStory.run { story in
      _ = try await story.ada.parent.register(try await story.service.subscription("ada"))
      _ = try await story.ada.parent.register(try await story.service.subscription("tablet"))
      try await story.service.become(mode, for: "/web/tablet")
      try await story.finish()
      #expect(try await story.service.messages(1)[0]["to"] == "ada")
      await story.server.deliverPushes()
      let devices = "{ viewer { ... on Account { devices { id } } } }"
      #expect(try await story.ada.parent.ask(devices)["data.viewer.devices"].list.count == 1)
      #expect(try await story.queued() == [0, 0])
      // The other one goes on, and the removed one is not tried again.
      let before = try await story.service.attempts()
      try await story.finish("Dust")
      _ = try await story.service.messages(2)
      #expect(try await story.service.attempts() == before)
    }
  }

  @Test func `a child gets its reminders, and its parents theirs`() async throws {
    try await PushStory.run { story in
      _ = try await story.ada.parent.register(try await story.service.subscription("ada"))
      _ = try await story.child.register(try await story.service.subscription("mia"))
      let chore = try await story.ada.addChore("Walk the dog", for: [story.mia])
      let reminder = try await story.ada.setReminder(of: chore, at: "2026-11-21T08:00:30Z")
      story.server.clock.advance(seconds: 30)
      let messages = try await story.service.messages(2).sorted { $0["to"].string ?? "" < $1["to"].string ?? "" }
      #expect(messages.map { $0["to"] } == ["ada", "mia"])
      #expect(messages.map { $0["payload.type"] } == ["ReminderNotification", "Reminder"])
      #expect(messages.map { $0["payload.message"] } == ["It is time: Walk the dog.", "It is time: Walk the dog."])
      #expect(messages[1]["payload.id"] == .string(reminder))
    }
  }

  @Test func `a parent to whom the chore is assigned gets its reminder once`() async throws {
    try await PushStory.run { story in
      _ = try await story.ada.parent.register(try await story.service.subscription("ada"))
      let chore = try await story.ada.addChore("Walk the dog", for: [story.ada.personID])
      _ = try await story.ada.setReminder(of: chore, at: "2026-11-21T08:00:30Z")
      story.server.clock.advance(seconds: 30)
      _ = try await story.service.messages(1)
      // A second push would be sent by then.
      #expect(try await story.queued() == [0, 0])
      #expect(try await story.service.messages().map { $0["payload.type"] } == ["ReminderNotification"])
    }
  }

  @Test func `a parent who has left gets no reminder of a chore from which they are not unassigned yet`() async throws {
    try await PushStory.run { story in
      let server = story.server
      let grace = try await Household("Grace Hopper", on: server)
      try await story.ada.admit(grace, on: server)
      _ = try await story.ada.addChore(for: [grace.personID])
      try await server.copyChore(Int(Unassignment.maximumAtOnce))
      let last = try await story.ada.addChore("Walk the dog", priority: 1, for: [grace.personID])
      _ = try await story.ada.setReminder(of: last, at: "2026-11-21T08:00:30Z")
      for (member, name) in [(grace, "grace"), (story.ada, "ada")] {
        _ = try await member.parent.register(try await story.service.subscription(name))
      }
      server.services.unassignments.stop()
      let left = try await grace.parent.perform(Documents.leaveFamily, ["password": .string(Household.password)])
      #expect(left.userErrors == [])
      #expect(try server.rows("SELECT count(*) FROM assignment", columns: 1) != [[0]])
      server.clock.advance(seconds: 30)
      let messages = try await story.service.messages(2)
      #expect(try await story.queued() == [0, 0])
      #expect(Set(try await story.service.messages().map { $0["to"] }) == ["ada"], "\(messages)")
    }
  }

  @Test func `a read notification and a removed chore's reminder are not sent any more`() async throws {
    try await PushStory.run { story in
      try await story.service.become("down")
      _ = try await story.ada.parent.register(try await story.service.subscription("ada"))
      try await story.finish()
      _ = try await story.service.attempts(1)
      await story.server.deliverPushes()
      _ = try await story.ada.parent.perform(Documents.markRead)
      try await story.service.become("up")
      await story.pass(minutes: 60)
      #expect(try await story.service.messages().isEmpty)
      #expect(try await story.queued() == [0, 0])
    }
  }

  @Test func `a parent gets no reminder of a chore that is done, archived or removed meanwhile`() async throws {
    try await PushStory.run { story in
      try await story.service.become("down")
      let parent = story.ada.parent
      _ = try await parent.register(try await story.service.subscription("ada"))
      var chores: [Value] = []
      for name in ["Dust", "Sweep", "Iron", "Walk the dog"] {
        let chore = try await story.ada.addChore(name)
        _ = try await story.ada.setReminder(of: chore, at: "2026-11-21T08:00:30Z")
        chores.append(.string(chore))
      }
      story.server.clock.advance(seconds: 30)
      _ = try await story.service.attempts(1)
      #expect(try await story.queued() == [4, 0])
      #expect(try await parent.perform(Documents.finishChore, ["id": chores[0]]).userErrors == [])
      let archived: Value = ["id": chores[1], "status": "ARCHIVED"]
      #expect(try await parent.perform(Documents.updateChore, ["input": archived]).userErrors == [])
      #expect(try await parent.perform(Documents.removeChore, ["id": chores[2]]).userErrors == [])
      try await story.service.become("up")
      await story.pass(minutes: 60)
      let messages = try await story.service.messages(1)
      #expect(messages.map { $0["payload.message"] } == ["It is time: Walk the dog."])
      #expect(try await story.queued() == [0, 0])
    }
  }

  @Test func `a reminder that was snoozed before its push was sent is pushed once`() async throws {
    try await PushStory.run { story in
      try await story.service.become("down")
      _ = try await story.ada.parent.register(try await story.service.subscription("ada"))
      _ = try await story.child.register(try await story.service.subscription("mia"))
      let chore = try await story.ada.addChore("Walk the dog", for: [story.mia])
      let reminder = try await story.ada.setReminder(of: chore, at: "2026-11-21T08:00:30Z")
      story.server.clock.advance(seconds: 30)
      _ = try await story.service.attempts(2)
      let answer: Value = ["input": ["id": .string(reminder), "answer": "SNOOZE_10_MINUTES"]]
      #expect(try await story.child.perform(Documents.answerReminder, answer).userErrors == [])
      await story.pass(minutes: 15)
      try await story.service.become("up")
      await story.pass(minutes: 120)
      let messages = try await story.service.messages(2)
      #expect(messages.compactMap { $0["to"].string }.sorted() == ["ada", "mia"])
      #expect(try await story.queued() == [0, 0])
    }
  }

  @Test func `Apple's service gets a token over HTTP 2, and its devices what it answers`() async throws {
    try await PushStory.run { story in
      let token = String(repeating: "ab01", count: 16)
      #expect(try await story.ada.parent.register(["apple": ["token": .string(token)]]).userErrors == [])
      try await story.finish()
      let message = try await story.service.messages(1)[0]
      #expect(message["kind"] == "apple" && message["to"] == .string(token))
      #expect(message["payload.aps.alert.body"] == "Mia has finished a chore: Feed the cat.")
      #expect(message["payload.hearth.type"] == "ChoreFinishedNotification")
      try await story.service.become("gone")
      try await story.finish("Dust")
      await story.server.deliverPushes()
      #expect(try await story.ada.parent.deviceNames() == [])
      #expect(try await story.queued() == [0, 0])
    }
  }

  @Test func `Google's service gets an access token, which is asked for once an hour`() async throws {
    try await PushStory.run { story in
      let token = "registration-token:of-a-phone"
      #expect(try await story.ada.parent.register(["google": ["token": .string(token)]]).userErrors == [])
      for chore in ["Feed the cat", "Dust"] { try await story.finish(chore) }
      let messages = try await story.service.messages(2)
      #expect(messages.allSatisfy { $0["kind"] == "google" && $0["to"] == .string(token) })
      #expect(messages.contains { $0["payload.notification.body"] == "Mia has finished a chore: Feed the cat." })
      #expect(try await story.service.grants == 1)
      story.server.clock.advance(seconds: 3_600)
      try await story.finish("Sweep")
      _ = try await story.service.messages(3)
      #expect(try await story.service.grants == 2)
      try await story.service.become("gone", for: "/v1/")
      try await story.finish("Iron")
      await story.server.deliverPushes()
      #expect(try await story.ada.parent.deviceNames() == [])
    }
  }

  @Test func `an operator's webhook gets what everybody is notified of, signed`() async throws {
    try await PushStory.run(webhook: true) { story in
      try await story.finish()
      // Its time is that of the delivery, before the clock advances.
      _ = try await story.service.messages(1)
      let chore = try await story.ada.addChore("Walk the dog", for: [story.mia])
      _ = try await story.ada.setReminder(of: chore, at: "2026-11-21T08:00:30Z")
      story.server.clock.advance(seconds: 30)
      let messages = try await story.service.messages(3)
      #expect(Set(messages.map { $0["id"] }).count == 3)
      let finished = try #require(messages.first { $0["payload.data.type"] == "ChoreFinishedNotification" })
      #expect(finished["time"] == 1_795_248_000 && finished["payload.type"] == "notification.created")
      #expect(finished["payload.data.recipientId"] == .string(story.ada.personID))
      #expect(finished["payload.data.message"] == "Mia has finished a chore: Feed the cat.")
      #expect(messages.contains { $0["payload.data.recipientId"] == .string(story.mia) })
    }
  }

  @Test func `what members do not want to receive is not sent, nor in their quiet hours`() async throws {
    try await PushStory.run(webhook: true) { story in
      _ = try await story.ada.parent.register(try await story.service.subscription("ada"))
      let settings: Value = [
        "input": ["muted": ["CHORE_FINISHED"], "quietHours": ["from": "22:00", "until": "07:30"]]
      ]
      let outcome = try await story.ada.parent.perform(Documents.updateNotificationSettings, settings)
      #expect(outcome["account.notificationSettings.quietHours.until"] == "07:30")
      try await story.finish()
      #expect(try await story.service.messages(1).map { $0["payload.data.muted"] } == [true])
      #expect(try await story.queued() == [0, 0])
      // 22:30 in Paris.
      _ = try await story.ada.parent.perform(
        "mutation { updateFamily(input: { timeZone: \"Europe/Paris\" }) { userErrors { code } } }"
      )
      _ = try await story.ada.parent.perform(Documents.updateNotificationSettings, ["input": ["muted": []]])
      story.server.clock.advance(seconds: 13 * 3_600 + 1_800)
      try await story.finish("Dust")
      #expect(try await story.service.messages(2).last?["payload.data.quietUntil"] == "2026-11-22T06:30:00.000Z")
      #expect(try await story.queued() == [1, 0])
      // A reminder comes at its time, unless its recipient does not want that.
      let chore = try await story.ada.addChore("Take the medicine")
      _ = try await story.ada.setReminder(of: chore, at: "2026-11-21T21:31:00Z")
      story.server.clock.advance(seconds: 60)
      let night = try await story.service.messages(4)
      #expect(night.filter { $0["kind"] == "web" }.map { $0["payload.type"] } == ["ReminderNotification"])
      // 07:30 in Paris.
      story.server.clock.advance(seconds: 9 * 3_600 - 60)
      let morning = try await story.service.messages(5)
      #expect(morning.last?["payload.message"] == "Mia has finished a chore: Dust.")
      #expect(try await story.queued() == [0, 0])
    }
  }

  @Test func `what waits for quiet hours is sent when they are removed, or over in a new time zone`() async throws {
    try await PushStory.run { story in
      let parent = story.ada.parent
      _ = try await parent.register(try await story.service.subscription("ada"))
      func setTimeZone(_ name: Value) async throws {
        let outcome = try await parent.perform(Documents.updateFamily, ["input": ["timeZone": name]])
        #expect(outcome["family.timeZone"] == name)
      }
      func setQuietHours(_ hours: Value) async throws {
        let settings: Value = ["input": ["quietHours": hours]]
        #expect(try await parent.perform(Documents.updateNotificationSettings, settings).userErrors == [])
      }
      // It is 08:00.
      try await setTimeZone("UTC")
      try await setQuietHours(["from": "07:30", "until": "12:00"])
      try await story.finish()
      #expect(try await story.queued() == [1, 0])
      // Still quiet.
      try await setQuietHours(["from": "07:45", "until": "09:00"])
      #expect(try await story.queued() == [1, 0])
      try await setQuietHours(.null)
      let first = try await story.service.messages(1)
      #expect(first.map { $0["payload.message"] } == ["Mia has finished a chore: Feed the cat."])
      #expect(try await story.queued() == [0, 0])
      try await setQuietHours(["from": "07:30", "until": "12:00"])
      try await story.finish("Dust")
      #expect(try await story.queued() == [1, 0])
      // 17:00.
      try await setTimeZone("Asia/Tokyo")
      let second = try await story.service.messages(2)
      #expect(second.last?["payload.message"] == "Mia has finished a chore: Dust.")
      #expect(try await story.queued() == [0, 0])
    }
  }

  @Test func `what was tried before quiet hours is sent when they are removed, too`() async throws {
    try await PushStory.run { story in
      _ = try await story.ada.parent.register(try await story.service.subscription("ada"))
      func setQuietHours(_ hours: Value) async throws {
        let settings: Value = ["input": ["quietHours": hours]]
        #expect(try await story.ada.parent.perform(Documents.updateNotificationSettings, settings).userErrors == [])
      }
      try await story.service.become("down")
      try await story.finish()
      #expect(try await story.queued() == [1, 0])
      try await story.service.become("up")
      // From 08:00 on, in each time zone.
      try await setQuietHours(["from": "00:00", "until": "23:59"])
      await story.pass(minutes: 10)
      #expect(try await story.queued() == [1, 0])
      try await setQuietHours(.null)
      #expect(try await story.service.messages(1).count == 1)
      #expect(try await story.queued() == [0, 0])
    }
  }

  @Test func `what waits for quiet hours is sent when the member joins a family in another time zone`() async throws {
    try await PushStory.run { story in
      let ada = story.ada
      let grace = try await Household("Grace Hopper", on: story.server)
      for (household, timeZone) in [(grace, "UTC"), (ada, "Asia/Tokyo")] as [(Household, Value)] {
        let moved = try await household.parent.perform(Documents.updateFamily, ["input": ["timeZone": timeZone]])
        #expect(moved["family.timeZone"] == timeZone)
      }
      _ = try await grace.parent.register(try await story.service.subscription("grace"))
      let settings: Value = ["input": ["quietHours": ["from": "07:30", "until": "12:00"]]]
      #expect(try await grace.parent.perform(Documents.updateNotificationSettings, settings).userErrors == [])
      _ = try await ada.request(grace)
      #expect(try await story.queued() == [1, 0])
      // It is 17:00 in Tokyo.
      try await ada.admit(grace, on: story.server)
      #expect(try await story.service.messages(1).first?["payload.type"] == "ContactRequestNotification")
    }
  }
}
