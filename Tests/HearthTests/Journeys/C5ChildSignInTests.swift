import Testing

@testable import Hearth

@Suite("C5: a child signs in with its username and a parent's password")
struct C5ChildSignInTests {
  static func input(_ username: String, _ password: String) -> Value {
    ["input": ["username": .string(username), "password": .string(password)]]
  }

  @Test(arguments: ["mia", "MIA", " Mia "])
  func `it is signed in as itself`(username: String) async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let mia = try await ada.addChild("Mia", username: "mia")
      let outcome = try await server.visitor.perform(Documents.signInChild, Self.input(username, Household.password))
      #expect(outcome["credentials.tokenType"] == "Bearer")
      #expect(
        outcome["credentials.viewer"] == ["__typename": "Child", "id": .string(mia), "name": "Mia", "username": "mia"]
      )
      let app = server.visitor.with(token: outcome["credentials.accessToken"].string)
      #expect(try await app.ask(Documents.whoAmI)["data.viewer"] == ["__typename": "Child", "id": .string(mia)])
    }
  }

  @Test func `the response is the same for every wrong input`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      _ = try await ada.addChild("Mia", username: "mia")
      let other = try await Household(on: server, email: "other@example.com")
      _ = try await other.addChild("Ben", username: "ben")
      var answers: Set<String> = []
      for (username, password) in [
        ("mia", "wrong password"), ("mia", ""), ("nobody", Household.password), ("", ""),
        (Household.password, "mia"), ("ada@example.com", Household.password), ("Ada Lovelace", Household.password),
      ] {
        answers.insert(try await server.visitor.post(Documents.signInChild, Self.input(username, password)).text)
      }
      #expect(answers.count == 1, "\(answers)")
      let outcome = try await server.visitor.perform(Documents.signInChild, Self.input("mia", "wrong"))
      #expect(outcome.userErrors == ["input WRONG_CREDENTIALS"])
    }
  }

  @Test func `the password of another family's parent does not do`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      _ = try await ada.addChild("Mia", username: "mia")
      let form = Household.form("other@example.com").setting("password", "another password")
      _ = try await server.visitor.perform(Documents.register, ["input": form])
      let outcome = try await server.visitor.perform(Documents.signInChild, Self.input("mia", "another password"))
      #expect(outcome.userErrors == ["input WRONG_CREDENTIALS"])
    }
  }

  @Test func `a wrong pair takes as long, whether there are two parents or no such child`() async throws {
    // Slow enough that hashing dominates the time.
    try await TestServer.run(configure: { $0.passwordCost = 13 }) { server in
      let ada = try await Household("Ada Lovelace", on: server)
      _ = try await ada.addChild("Mia", username: "mia")
      let grace = try await Household("Grace Hopper", on: server)
      _ = try await ada.parent.perform(Documents.inviteParent, ["email": .string(grace.email)])
      let token = Value.string(try await server.mail(to: grace.email, about: "invites").token)
      try await grace.verifyEmail(on: server)
      #expect(try await grace.parent.perform(Documents.acceptInvitation, ["token": token]).userErrors == [])
      let single = try await Household("Mary Somerville", on: server)
      _ = try await single.addChild("Ben", username: "ben")
      let clock = ContinuousClock()
      var times: [String: [Duration]] = [:]
      for _ in 0..<24 {
        for username in ["mia", "ben", "nobody"] {
          let input = Self.input(username, "wrong password")
          let time = try await clock.measure {
            let outcome = try await server.visitor.perform(Documents.signInChild, input)
            #expect(outcome.userErrors == ["input WRONG_CREDENTIALS"])
          }
          times[username, default: []].append(time)
        }
      }
      for username in ["mia", "ben"] {
        let share = shareOfLonger(times[username, default: []], than: times["nobody", default: []])
        #expect(share > 0.1 && share < 0.9, "\(times)")
      }
    }
  }
}
