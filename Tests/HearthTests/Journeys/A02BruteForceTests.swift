import Testing

@testable import Hearth

@Suite("A2: passwords cannot be guessed")
struct A02BruteForceTests {
  /// A server behind a proxy that sends the client's address.
  private static func run(_ body: (TestServer) async throws -> Void) async throws {
    try await TestServer.run(configure: { $0.clientAddressHeader = "x-forwarded-for" }) { server in
      _ = try await Household(on: server)
      try await body(server)
    }
  }

  /// The error code of a sign-in from an address; nil if it succeeded.
  private static func signIn(
    _ server: TestServer,
    _ email: String = "ada@example.com",
    _ password: String = "wrong password",
    from address: String
  ) async throws -> String? {
    let body: Value = ["query": .string(Documents.signIn), "variables": A02SignInTests.input(email, password)]
    let answer = try await server.http.post(body.text, headers: [("X-Forwarded-For", "6.6.6.6, " + address)])
    let value = try Value(answer.body)
    return value["errors.0.extensions.code"].string ?? value["data.signIn.userErrors.0.code"].string
  }

  @Test func `after ten wrong passwords in a row one has to wait, whether there is an account or none`() async throws {
    try await Self.run { server async throws in
      for email in ["ada@example.com", "nobody@example.com"] {
        for _ in 0..<10 { #expect(try await Self.signIn(server, email, from: "192.0.2.1") == "WRONG_CREDENTIALS") }
        #expect(try await Self.signIn(server, email, from: "192.0.2.1") == "RATE_LIMITED")
        // The right password is rejected too. Otherwise a correct guess could be recognized.
        #expect(try await Self.signIn(server, email, Household.password, from: "192.0.2.1") == "RATE_LIMITED")
      }
      server.clock.advance(seconds: 30)
      #expect(try await Self.signIn(server, from: "192.0.2.1") == "WRONG_CREDENTIALS")
      #expect(try await Self.signIn(server, from: "192.0.2.1") == "RATE_LIMITED")
      server.clock.advance(seconds: 30)
      #expect(try await Self.signIn(server, "ADA@example.com ", Household.password, from: "192.0.2.1") == nil)
    }
  }

  @Test func `who guesses does not lock the family out`() async throws {
    try await Self.run { server async throws in
      #expect(try await Self.signIn(server, "ada@example.com", Household.password, from: "192.0.2.1") == nil)
      // Guesses from many networks, until the limit of the account is reached.
      var guesses = 0
      var rejected = false
      while !rejected && guesses < 300 {
        let address = "2001:db8:\(guesses / 5)::1"
        rejected = try await Self.signIn(server, from: address) == "RATE_LIMITED"
        guesses += 1
      }
      #expect(guesses == 101)
      #expect(
        try await Self.signIn(server, "ada@example.com", Household.password, from: "203.0.113.9") == "RATE_LIMITED"
      )
      // An address that she has used before.
      #expect(try await Self.signIn(server, "ada@example.com", Household.password, from: "192.0.2.1") == nil)
      #expect(try await Self.signIn(server, "nobody@example.com", from: "192.0.2.77") == "WRONG_CREDENTIALS")
    }
  }

  @Test func `from one network only so many names are tried`() async throws {
    try await Self.run { server async throws in
      for number in 0..<60 {
        // All addresses belong to one household.
        let address = "2001:db8:1:2:\(number)::1"
        #expect(try await Self.signIn(server, "nobody\(number)@example.com", from: address) == "WRONG_CREDENTIALS")
      }
      #expect(try await Self.signIn(server, "another@example.com", from: "2001:db8:1:2::99") == "RATE_LIMITED")
      #expect(try await Self.signIn(server, "another@example.com", from: "2001:db8:1:3::99") == "WRONG_CREDENTIALS")
    }
  }

  @Test func `right passwords do not count`() async throws {
    try await Self.run { server async throws in
      for _ in 0..<80 {
        #expect(try await Self.signIn(server, "ada@example.com", Household.password, from: "192.0.2.1") == nil)
      }
    }
  }

  @Test func `children's usernames and the changing of passwords are guarded too`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      _ = try await ada.addChild("Mia", username: "mia")
      func codes(_ perform: () async throws -> Outcome) async throws -> [String] {
        var codes: [String] = []
        for _ in 0..<101 { codes += try await perform().codes }
        return codes
      }
      let child: Value = ["input": ["username": "mia", "password": "wrong password"]]
      #expect(try await codes { try await server.visitor.perform(Documents.signInChild, child) } == ["RATE_LIMITED"])
      let change: Value = ["old": "wrong password", "new": "another password"]
      #expect(try await codes { try await ada.parent.perform(Documents.changePassword, change) } == ["RATE_LIMITED"])
      let leaving = try await ada.parent.perform(Documents.deactivate, ["password": .string(Household.password)])
      #expect(leaving.codes == ["RATE_LIMITED"])
    }
  }

  @Test(
    arguments: [
      ("192.0.2.1", "192.0.2.1:4711", true), (" 192.0.2.1", "::ffff:192.0.2.1", true),
      ("192.0.2.1", "192.0.2.2", false),
      ("2001:db8::1", "[2001:db8::2]:443", true), ("2001:db8::1", "2001:db8:0:1::1", false),
    ]
  )
  func `a network is one however it is written`(one: String, other: String, isSame: Bool) throws {
    let (first, second) = (try #require(ClientNetwork(one)), try #require(ClientNetwork(other)))
    #expect((first == second) == isSame)
  }

  @Test(arguments: ["127.0.0.1", "::1", "::ffff:127.0.0.1", "unknown", "", "_hidden", "999.1.1.1"])
  func `addresses of this machine and invalid addresses belong to no network`(text: String) {
    #expect(ClientNetwork(text) == nil)
  }
}
