import TestSupport
import Testing

@testable import Hearth

@Suite("E5: points of roommates", .timeLimit(.minutes(20)))
struct E5RoommatePointsTests {
  private static let ledger = """
    query ($id: ID!) { node(id: $id) { ... on Person { points achievementPoints
      pointEntries { totalCount nodes { id \(Documents.entry) } } } } }
    """

  private struct Flat {
    let server: TestServer
    let ada: Household
    let ben: Household
    let chore: String

    init(on server: TestServer) async throws {
      self.server = server
      ada = try await Household(on: server)
      ben = try await Household("Ben Roommate", on: server)
      try await ada.admit(ben, on: server)
      chore = try await ada.addChore("Clean the kitchen", for: [ben.personID])
    }

    func finish() async throws {
      #expect(try await ben.parent.perform(Documents.finishChore, ["id": .string(chore)]).userErrors == [])
    }

    func approve(by one: Household, _ points: Value = nil) async throws -> Outcome {
      try await one.parent.perform(Documents.approveChore, ["input": ["id": .string(chore), "points": points]])
    }

    func correct(_ points: Int, of other: Household, by one: Household) async throws -> Outcome {
      let input: Value = [
        "memberId": .string(other.personID), "points": .number(Double(points)), "reason": "A mistake.",
      ]
      return try await one.parent.perform(Documents.correctPoints, ["input": input])
    }

    func ledger(of one: Household, by client: Client? = nil) async throws -> Value {
      try await (client ?? ada.parent).ask(E5RoommatePointsTests.ledger, ["id": .string(one.personID)])["data.node"]
    }

    func faults() throws -> [String] {
      try PointLedgerCheck.faults(server.reader())
    }
  }

  @Test func `an adult approves what another has done, with points`() async throws {
    try await TestServer.run { server in
      let flat = try await Flat(on: server)
      let changes = "subscription { familyChanged { ... on PointsChanged { member { ... on Person { points } } } } }"
      let received = "subscription { notificationReceived { __typename message } }"
      #expect(try await flat.approve(by: flat.ada, 2).userErrors == ["input.id CONFLICT"])
      try await flat.finish()
      #expect(try await flat.approve(by: flat.ben, 2).userErrors == ["input.id NOT_ALLOWED"])
      // The connections of a session that moved to another family end.
      let ben = try await flat.ben.signedInAgain(on: server).parent
      let live = try await Listener.open(server.port, ben, changes).listening()
      let device = try await Listener.open(server.port, ben, received).listening()
      let approved = try await flat.approve(by: flat.ada, 2)
      #expect(approved.userErrors == [] && approved["chore.approvedPoints"] == 2)
      #expect(
        try await device.next()["data.notificationReceived"]
          == [
            "__typename": "ChoreApprovedNotification",
            "message": "Ada Lovelace has approved a chore: Clean the kitchen.",
          ]
      )
      // The chore has changed, then the points.
      #expect(try await live.next()["data.familyChanged"] == [:])
      #expect(try await live.next()["data.familyChanged.member.points"] == 2)
      #expect(try await flat.approve(by: flat.ada, 2).userErrors == ["input.id CONFLICT"])
      let ledger = try await flat.ledger(of: flat.ben)
      #expect(ledger["points"] == 2 && ledger["achievementPoints"] == 2 && ledger["pointEntries.totalCount"] == 1)
      let entry = ledger["pointEntries.nodes.0"]
      #expect(entry["kind"] == "CHORE" && entry["chore.id"] == .string(flat.chore))
      #expect(entry["author.id"] == .string(flat.ada.personID) && entry["member.id"] == .string(flat.ben.personID))
      #expect(entry["contract"] == .null)
      #expect(try await flat.ledger(of: flat.ada)["points"] == 0)
      #expect(try flat.faults() == [])
    }
  }

  @Test func `an adult sends back what another has done`() async throws {
    try await TestServer.run { server in
      let flat = try await Flat(on: server)
      try await flat.finish()
      let input: Value = ["input": ["id": .string(flat.chore), "comment": "The oven too."]]
      #expect(
        try await flat.ben.parent.perform(Documents.returnChore, input).userErrors == ["input.id NOT_ALLOWED"]
      )
      let returned = try await flat.ada.parent.perform(Documents.returnChore, input)
      #expect(returned["chore.status"] == "OPEN" && returned["chore.returnComment"] == "The oven too.")
      let answer = try await flat.ben.parent.ask(
        "{ viewer { ... on Account { notifications(first: 1) { nodes { __typename } } } } }"
      )
      #expect(answer["data.viewer.notifications.nodes"].each("__typename") == ["ChoreReturnedNotification"])
      try await flat.finish()
      #expect(try await flat.approve(by: flat.ada)["chore.approvedPoints"] == 0)
      #expect(try await flat.ledger(of: flat.ben)["pointEntries.totalCount"] == 0)
    }
  }

  @Test func `an adult corrects the points of another, but not their own`() async throws {
    try await TestServer.run { server in
      let flat = try await Flat(on: server)
      #expect(try await flat.correct(3, of: flat.ben, by: flat.ada).userErrors == [])
      #expect(try await flat.correct(3, of: flat.ada, by: flat.ada).userErrors == ["input.memberId NOT_ALLOWED"])
      #expect(try await flat.correct(-4, of: flat.ben, by: flat.ada).userErrors == ["input.points CONFLICT"])
      let entry = try await flat.ledger(of: flat.ben)["pointEntries.nodes.0.id"]
      // An adult is named by either id.
      let back: Value = ["memberId": .string(flat.ben.accountID), "entryId": entry, "reason": "Twice."]
      #expect(try await flat.ada.parent.perform(Documents.correctPoints, ["input": back]).userErrors == [])
      let named = back.setting("memberId", .string(flat.ben.personID))
      let again = try await flat.ada.parent.perform(Documents.correctPoints, ["input": named])
      #expect(again.userErrors == ["input.entryId CONFLICT"])
      #expect(try await flat.ledger(of: flat.ben)["points"] == 0)
      #expect(try flat.faults() == [])
    }
  }

  @Test func `the family sees the points, adults the entries, and other people nothing`() async throws {
    try await TestServer.run { server in
      let flat = try await Flat(on: server)
      _ = try await flat.ada.addChild("Mia", username: "mia")
      _ = try await flat.correct(3, of: flat.ben, by: flat.ada)
      let child = try await flat.ledger(of: flat.ben, by: try await flat.ada.signIn("mia"))
      #expect(child == ["points": 3, "achievementPoints": 3, "pointEntries": nil])
      let stranger = try await Household("Janna Duran", on: server)
      let seen = try await flat.ledger(of: flat.ben, by: stranger.parent)
      #expect(seen == ["points": nil, "achievementPoints": nil, "pointEntries": nil])
    }
  }

  @Test func `who leaves starts at 0 elsewhere, and a family that is merged brings its points`() async throws {
    try await TestServer.run { server in
      let flat = try await Flat(on: server)
      _ = try await flat.correct(3, of: flat.ben, by: flat.ada)
      _ = try await flat.correct(5, of: flat.ada, by: flat.ben)
      let left = try await flat.ben.parent.perform(
        Documents.leaveFamily,
        ["password": .string(Household.password)]
      )
      #expect(left.userErrors == [])
      #expect(try await flat.ledger(of: flat.ben, by: flat.ben.parent)["points"] == 0)
      #expect(try await flat.ledger(of: flat.ben)["points"] == .null)
      // Ada is alone now, so her family becomes a part of Ben's, with all entries.
      try await flat.ada.verifyEmail(on: server)
      _ = try await flat.ben.parent.perform(Documents.inviteParent, ["email": .string(flat.ada.email)])
      let token = Value.string(try await server.mail(to: flat.ada.email, about: "invites").token)
      let accepted = try await flat.ada.parent.perform(Documents.acceptInvitation, ["token": token])
      #expect(accepted.userErrors == [])
      #expect(try await flat.ledger(of: flat.ada)["points"] == 5)
      #expect(try await flat.ledger(of: flat.ada)["pointEntries.totalCount"] == 1)
      #expect(try await flat.ledger(of: flat.ben)["points"] == 3)
      #expect(try flat.faults() == [])
    }
  }
}
