import TestSupport
import Testing

@testable import Hearth

@Suite("A11: a child finishes a chore, and a parent responds", .timeLimit(.minutes(20)))
struct A11ApproveChoreTests {
  private struct Home {
    let ada: Household
    let mia: String
    let child: Client
    let chore: String

    init(on server: TestServer) async throws {
      ada = try await Household(on: server)
      mia = try await ada.addChild("Mia", username: "mia")
      child = try await ada.signIn("mia")
      chore = try await ada.addChore("Feed the cat", for: [mia])
    }

    func finish(_ chore: String? = nil) async throws -> Outcome {
      try await child.perform(Documents.finishChore, ["id": .string(chore ?? self.chore)])
    }

    func reopen() async throws -> Outcome {
      try await child.perform(Documents.reopenChore, ["id": .string(chore)])
    }

    func approve(_ points: Value = nil) async throws -> Outcome {
      try await ada.parent.perform(Documents.approveChore, ["input": ["id": .string(chore), "points": points]])
    }

    func sendBack(_ comment: String = "The bowl is empty.") async throws -> Outcome {
      let input: Value = ["id": .string(chore), "comment": .string(comment)]
      return try await ada.parent.perform(Documents.returnChore, ["input": input])
    }

    func awaiting(_ value: Value = true) async throws -> Value {
      try await ada.parent.ask(
        """
        query ($filter: ChoreFilter) { family { chores(filter: $filter) { totalCount nodes { id name } } } }
        """,
        ["filter": ["awaitsApproval": value]]
      )["data.family.chores"]
    }

    func points() async throws -> Value {
      try await ada.parent.ask("{ family { children { points finishedChores { totalCount } } } }")[
        "data.family.children.0"
      ]
    }
  }

  @Test func `it records who finished it and when, who approved it and when, and the points`() async throws {
    try await TestServer.run { server in
      let home = try await Home(on: server)
      server.clock.advance(seconds: 60)
      let finished = try await home.finish()
      #expect(finished.userErrors == [])
      #expect(finished["chore.status"] == "DONE")
      #expect(finished["chore.finishedBy"] == ["__typename": "Child", "id": .string(home.mia)])
      #expect(finished["chore.finishedAt"] == "2026-11-21T08:01:00Z")
      #expect(finished["chore.awaitsApproval"] == true)
      #expect(finished["chore.approvedBy"] == .null && finished["chore.approvedPoints"] == .null)
      // A double tap changes nothing, and notifies nobody again.
      #expect(try await home.finish()["chore"] == finished["chore"])
      let count = try await home.ada.parent.ask("{ viewer { ... on Account { notifications { totalCount } } } }")
      #expect(count["data.viewer.notifications.totalCount"] == 1)
      server.clock.advance(seconds: 60)
      let approved = try await home.approve(2)
      #expect(approved.userErrors == [])
      #expect(approved["chore.status"] == "DONE")
      #expect(approved["chore.finishedAt"] == "2026-11-21T08:01:00Z")
      #expect(approved["chore.awaitsApproval"] == false)
      #expect(approved["chore.approvedBy.id"] == .string(home.ada.personID))
      #expect(approved["chore.approvedAt"] == "2026-11-21T08:02:00Z")
      #expect(approved["chore.approvedPoints"] == 2)
      #expect(try await home.points() == ["points": 2, "finishedChores": ["totalCount": 1]])
      // A second approval, or points once more, would count twice.
      #expect(try await home.approve(2).userErrors == ["input.id CONFLICT"])
      #expect(
        try await home.ada.assign([(home.chore, 2)], to: home.mia).userErrors == ["input.chores.0.choreId CONFLICT"]
      )
      #expect(try await home.points()["points"] == 2)
    }
  }

  @Test func `the child undoes it until a parent responds`() async throws {
    try await TestServer.run { server in
      let home = try await Home(on: server)
      _ = try await home.finish()
      let reopened = try await home.reopen()
      #expect(reopened.userErrors == [])
      #expect(reopened["chore.status"] == "OPEN" && reopened["chore.awaitsApproval"] == false)
      #expect(reopened["chore.finishedBy"] == .null && reopened["chore.finishedAt"] == .null)
      #expect(try await home.reopen()["chore"] == reopened["chore"])
      #expect(try await home.approve(1).userErrors == ["input.id CONFLICT"])
      _ = try await home.finish()
      let approved = try await home.approve()
      #expect(approved["chore.approvedPoints"] == 0 && approved["chore.approvedBy.id"] == .string(home.ada.personID))
      #expect(try await home.reopen().userErrorReasons == ["id CONFLICT CHORE_CLOSED"])
      #expect(try await home.points() == ["points": 0, "finishedChores": ["totalCount": 0]])
    }
  }

  @Test func `a parent sends it back with a comment, which stays until it is finished again`() async throws {
    try await TestServer.run { server in
      let home = try await Home(on: server)
      _ = try await home.finish()
      let returned = try await home.sendBack("  The bowl is empty. ")
      #expect(returned.userErrors == [])
      #expect(returned["chore.status"] == "OPEN" && returned["chore.finishedBy"] == .null)
      #expect(returned["chore.returnedBy.id"] == .string(home.ada.personID))
      #expect(returned["chore.returnComment"] == "The bowl is empty.")
      #expect(try await home.sendBack().userErrors == ["input.id CONFLICT"])
      let assigned = try await home.child.ask(
        "{ viewer { ... on Child { assignedChores { nodes { id returnComment } } } } }"
      )["data.viewer.assignedChores.nodes"]
      #expect(assigned == [["id": .string(home.chore), "returnComment": "The bowl is empty."]])
      let again = try await home.finish()
      #expect(again["chore.returnComment"] == .null && again["chore.returnedBy"] == .null)
      #expect(try await home.approve(3)["chore.approvedPoints"] == 3)
    }
  }

  @Test func `both sides are notified live, and parents by a notification`() async throws {
    try await TestServer.run { server in
      let home = try await Home(on: server)
      let changes = """
        subscription { familyChanged { __typename ... on ChoreChanged { chore { status awaitsApproval returnComment } } \
          ... on PointsAssigned { child { points } } } }
        """
      let received = "subscription { notificationReceived { __typename message } }"
      let parent = try await Listener.open(server.port, home.ada.parent, changes).listening()
      let child = try await Listener.open(server.port, home.child, changes).listening()
      let notifications = try await Listener.open(server.port, home.ada.parent, received).listening()
      func expectChange(_ event: Value) async throws {
        #expect(try await parent.next()["data.familyChanged"] == event)
        #expect(try await child.next()["data.familyChanged"] == event)
      }
      func changed(_ status: Value, awaits: Value, comment: Value = nil) -> Value {
        [
          "__typename": "ChoreChanged",
          "chore": ["status": status, "awaitsApproval": awaits, "returnComment": comment],
        ]
      }
      _ = try await home.finish()
      try await expectChange(changed("DONE", awaits: true))
      #expect(
        try await notifications.next()["data.notificationReceived"]
          == ["__typename": "ChoreFinishedNotification", "message": "Mia has finished a chore: Feed the cat."]
      )
      _ = try await home.sendBack("Again.")
      try await expectChange(changed("OPEN", awaits: false, comment: "Again."))
      _ = try await home.finish()
      try await expectChange(changed("DONE", awaits: true))
      _ = try await home.approve(1)
      try await expectChange(changed("DONE", awaits: false))
      try await expectChange(["__typename": "PointsAssigned", "child": ["points": 1]])
    }
  }

  @Test func `a child cannot reopen its chore after another member has finished it`() async throws {
    try await TestServer.run { server in
      let home = try await Home(on: server)
      _ = try await home.ada.parent.perform(Documents.finishChore, ["id": .string(home.chore)])
      #expect(try await home.reopen().userErrorReasons == ["id CONFLICT FINISHED_BY_OTHER"])
    }
  }

  @Test func `a child cannot reopen a shared chore that another child has finished`() async throws {
    try await TestServer.run { server in
      let home = try await Home(on: server)
      let ben = try await home.ada.addChild("Ben", username: "ben")
      let brother = try await home.ada.signIn("ben")
      let shared: Value = ["id": .string(try await home.ada.addChore("Set the table", for: [home.mia, ben]))]
      #expect(try await brother.perform(Documents.finishChore, shared).userErrors == [])
      let rejected = try await home.child.perform(Documents.reopenChore, shared)
      #expect(rejected.userErrorReasons == ["id CONFLICT FINISHED_BY_OTHER"])
      #expect(try await home.awaiting()["nodes"].each("id") == [shared["id"]])
      #expect(try await brother.perform(Documents.reopenChore, shared)["chore.status"] == "OPEN")
    }
  }

  @Test func `chores that await approval are listed and counted`() async throws {
    try await TestServer.run { server in
      let home = try await Home(on: server)
      #expect(try await home.awaiting() == ["totalCount": 0, "nodes": []])
      let urgent: Value = ["name": "Walk the dog", "priority": 9, "assigneeIds": Value([home.mia])]
      let other = try await home.ada.parent.perform(Documents.addChore, ["input": urgent])["chore.id"]
      let parents = try await home.ada.addChore("File the taxes")
      let filed = try await home.ada.parent.perform(Documents.finishChore, ["id": .string(parents)])
      #expect(filed["chore.finishedBy.id"] == .string(home.ada.personID) && filed["chore.awaitsApproval"] == false)
      _ = try await home.finish()
      _ = try await home.finish(other.string)
      let both = try await home.awaiting()
      #expect(both["totalCount"] == 2)
      #expect(both["nodes"].each("name") == ["Walk the dog", "Feed the cat"])
      #expect(try await home.awaiting(false)["nodes"].each("name") == ["File the taxes"])
      #expect(try await home.awaiting(nil)["totalCount"] == 3)
      // Each way to respond takes it off the list.
      _ = try await home.approve(1)
      _ = try await home.ada.parent.perform(
        Documents.updateChore,
        ["input": ["id": other, "status": "ARCHIVED"]]
      )
      #expect(try await home.awaiting() == ["totalCount": 0, "nodes": []])
    }
  }

  @Test func `a chore that was archived before a parent responded awaits approval again when it is restored`()
    async throws
  {
    try await TestServer.run { server in
      let home = try await Home(on: server)
      func archiveAndRestore(_ chore: String) async throws {
        for status in ["ARCHIVED", "DONE"] as [Value] {
          let input: Value = ["id": .string(chore), "status": status]
          #expect(try await home.ada.parent.perform(Documents.updateChore, ["input": input]).userErrors == [])
        }
      }
      let finished = try await home.finish()
      try await archiveAndRestore(home.chore)
      #expect(try await home.awaiting()["nodes"].each("id") == [.string(home.chore)])
      // The child can still undo it, and a parent respond.
      #expect(try await home.reopen().userErrors == [])
      _ = try await home.finish()
      try await archiveAndRestore(home.chore)
      let approved = try await home.approve(2)
      #expect(approved.userErrors == [])
      #expect(approved["chore.finishedBy"] == finished["chore.finishedBy"] && approved["chore.approvedPoints"] == 2)
      // A response stays, and chores of adults do not await one.
      let parents = try await home.ada.addChore("File the taxes")
      _ = try await home.ada.parent.perform(Documents.finishChore, ["id": .string(parents)])
      for chore in [home.chore, parents] { try await archiveAndRestore(chore) }
      #expect(try await home.awaiting()["totalCount"] == 0)
    }
  }

  @Test func `a reminder that a child checks off lets the chore await approval`() async throws {
    try await TestServer.run { server in
      let home = try await Home(on: server)
      let reminder = try await home.ada.setReminder(of: home.chore, at: "2026-11-21T09:00:00Z")
      let answer: Value = ["input": ["id": .string(reminder), "answer": "CHECK_OFF"]]
      #expect(try await home.child.perform(Documents.answerReminder, answer).userErrors == [])
      #expect(try await home.awaiting()["nodes"].each("id") == [.string(home.chore)])
    }
  }

  @Test func `bad input changes nothing`() async throws {
    try await TestServer.run { server in
      let home = try await Home(on: server)
      let ben = try await home.ada.addChild("Ben", username: "ben")
      let bens = try await home.ada.addChore("Rake the leaves", for: [ben])
      let others = try await Household(on: server, email: "other@example.com")
      let theirs = try await others.addChore()
      for id in [theirs, home.mia, "nonsense", ""] {
        #expect(try await home.finish(id).userErrors == ["id NOT_FOUND"])
        let point: Value = ["input": ["id": .string(id), "points": 9]]
        let rejected = try await home.ada.parent.perform(Documents.approveChore, point)
        #expect(rejected.userErrors == ["input.id NOT_FOUND", "input.points OUT_OF_RANGE"])
      }
      #expect(try await home.finish(bens).codes == ["FORBIDDEN"])
      let approval: Value = ["id": .string(home.chore), "points": 1]
      let response: Value = ["id": .string(home.chore), "comment": "No"]
      for (document, input) in [(Documents.approveChore, approval), (Documents.returnChore, response)] {
        #expect(try await home.child.perform(document, ["input": input]).codes == ["FORBIDDEN"])
        #expect(try await home.ada.parent.perform(document, ["input": input]).userErrors == ["input.id CONFLICT"])
      }
      _ = try await home.finish()
      for points in [0, 4, -1] as [Value] {
        #expect(try await home.approve(points).userErrors == ["input.points OUT_OF_RANGE"])
      }
      #expect(try await home.sendBack(" ").userErrors == ["input.comment BLANK"])
      #expect(try await home.sendBack(String(repeating: "x", count: 501)).userErrors == ["input.comment TOO_LONG"])
      #expect(try await home.sendBack("a\u{7}b").userErrors == ["input.comment INVALID"])
      #expect(try await home.awaiting()["totalCount"] == 1)
      let archived: Value = ["input": ["id": .string(bens), "status": "ARCHIVED"]]
      _ = try await home.ada.parent.perform(Documents.updateChore, archived)
      let archive: Value = ["id": .string(bens)]
      #expect(try await home.ada.parent.perform(Documents.finishChore, archive).userErrors == ["id CONFLICT"])
      #expect(try await home.ada.parent.perform(Documents.reopenChore, archive).userErrors == ["id CONFLICT"])
      // The child is gone: there is nobody to give points to.
      _ = try await home.ada.parent.perform(Documents.removeChild, ["id": .string(home.mia)])
      #expect(try await home.approve(1).userErrors == ["input.points CONFLICT"])
      #expect(try await home.approve()["chore.awaitsApproval"] == false)
    }
  }

  @Test func `the next occurrence of a repeating chore starts without approval`() async throws {
    try await TestServer.run { server in
      let home = try await Home(on: server)
      let daily: Value = ["name": "Dishes", "frequency": "DAILY", "assigneeIds": Value([home.mia])]
      let first = try await home.ada.parent.perform(Documents.addChore, ["input": daily])["chore.id"]
      _ = try await home.finish(first.string)
      let copied = try await home.ada.parent.perform(Documents.preloadChores, ["input": ["frequency": "DAILY"]])
      let next = try await home.child.perform(Documents.finishChore, ["id": copied["chores.0.id"]])
      #expect(next.userErrors == [])
      #expect(try await home.awaiting()["totalCount"] == 2)
    }
  }
}
