import TestSupport
import Testing

@testable import Hearth

/// What a cache shows that applies the events of `familyChanged` and reads nothing else.
@Suite("Every change of what a family sees is an event", .timeLimit(.minutes(5)))
struct CacheEventTests {
  private static let changes = """
    subscription { familyChanged { __typename \
    ... on ChildChanged { child { rewardLevel { redeemedAt handedOutAt } pointEntries { totalCount } } } \
    ... on ChoreChanged { chore { status reminders { status } } } \
    ... on ContractChanged { contract { active } } \
    ... on FamilyChanged { family { deletedChildren { name } } } } }
    """

  /// The events until one of a type that satisfies the condition.
  private func event(
    _ type: String,
    on listener: Listener,
    where isSo: (Value) -> Bool = { _ in true }
  ) async throws -> Value {
    while true {
      let event = try await listener.next()["data.familyChanged"]
      if event["__typename"] == .string(type), isSo(event) { return event }
    }
  }

  private func listener(_ ada: Household, _ server: TestServer) async throws -> Listener {
    try await Listener.open(server.port, ada.parent, Self.changes).listening()
  }

  @Test func `a reward that is redeemed and handed out changes the child`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let mia = try await ada.addChild("Mia", username: "mia")
      let chore = try await ada.addChore("Feed the cat")
      let contract = try await ada.makeContract(with: mia, levels: [(2, "A book")])
      _ = try await ada.assign([(chore, 2)], to: mia)
      let listener = try await listener(ada, server)
      let reward: Value = ["input": ["contractId": .string(contract), "level": 1]]
      #expect(try await ada.signIn("mia").perform(Documents.redeemReward, reward).userErrors == [])
      var child = try await event("ChildChanged", on: listener)["child"]
      #expect(child["rewardLevel.redeemedAt"] == "2026-11-21T08:00:00Z" && child["pointEntries.totalCount"] == 2)
      #expect(try await ada.parent.perform(Documents.handOutReward, reward).userErrors == [])
      child = try await event("ChildChanged", on: listener)["child"]
      #expect(child["rewardLevel.handedOutAt"] == "2026-11-21T08:00:00Z")
    }
  }

  @Test func `an invitation whose mail is sent late changes the family`() async throws {
    let place = try TemporaryDirectory()
    // A folder that cannot be created, so that the first attempt to send the mail fails.
    try await TestServer.run(configure: { $0.mail = .folder(place.path + "/missing/outbox") }) { server in
      let ada = try await Household(on: server)
      let invited = try await ada.parent.perform(Documents.inviteParent, ["email": "guest@example.com"])
      #expect(invited["invitation.expiresAt"] == "2026-11-28T08:00:00Z")
      await server.deliverMail()
      let changes = "subscription { familyChanged { ... on FamilyChanged { family { invitations { expiresAt } } } } }"
      let listener = try await Listener.open(server.port, ada.parent, changes).listening()
      server.clock.advance(seconds: 600)
      await server.deliverMail()
      let family = try await listener.next()["data.familyChanged.family"]
      #expect(family["invitations"] == [["expiresAt": "2026-11-28T08:10:00Z"]])
    }
  }

  @Test func `a reminder of a done chore that is ignored changes the chore`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let chore = try await ada.addChore("Feed the cat")
      for time in ["2026-11-21T08:00:30Z", "2026-11-21T08:00:31Z"] {
        _ = try await ada.setReminder(of: chore, at: time)
      }
      let listener = try await listener(ada, server)
      #expect(try await ada.parent.perform(Documents.finishChore, ["id": .string(chore)]).userErrors == [])
      let done = try await event("ChoreChanged", on: listener)["chore"]
      #expect(done == ["status": "DONE", "reminders": [["status": "SCHEDULED"], ["status": "SCHEDULED"]]])
      server.clock.advance(seconds: 31)
      let later = try await event("ChoreChanged", on: listener)["chore"]
      #expect(later["reminders.0.status"] == "IGNORED")
    }
  }

  @Test func `a contract that a removal ended changes when the child returns`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let mia = try await ada.addChild("Mia", username: "mia")
      _ = try await ada.makeContract(with: mia)
      #expect(try await ada.deleteChild(mia).userErrors == [])
      let listener = try await listener(ada, server)
      #expect(try await ada.parent.perform(Documents.restoreChild, ["id": .string(mia)]).userErrors == [])
      #expect(try await event("ContractChanged", on: listener)["contract.active"] == false)
    }
  }

  @Test func `an erased child is no deleted child of the family any more`() async throws {
    try await TestServer.run(configure: { $0.accessTokenLifetime = 60 * 86_400 }) { server in
      let ada = try await Household(on: server)
      let mia = try await ada.addChild("Mia", username: "mia")
      #expect(try await ada.deleteChild(mia).userErrors == [])
      let listener = try await listener(ada, server)
      server.clock.advance(days: 30)
      try await server.erasures(become: 1)
      let family = try await event("FamilyChanged", on: listener) { $0["family.deletedChildren"] == [] }
      #expect(family["family"] == ["deletedChildren": []])
    }
  }
}
