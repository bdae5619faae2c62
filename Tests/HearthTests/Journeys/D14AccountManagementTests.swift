import Testing

@testable import Hearth

@Suite("D14: manage the account: address, username, language, family at registration")
struct D14AccountManagementTests {
  static let changeEmail = """
    mutation ($email: String!, $password: String) { changeEmail(input: { email: $email, password: $password }) {
      account { email pendingEmail } userErrors { field code message parameters { name value } } } }
    """
  static let confirm = """
    mutation ($token: String!) { confirmEmailChange(token: $token) {
      account { email emailVerified pendingEmail } \(Documents.errors) } }
    """

  private static func change(_ household: Household, to email: String, password: String? = Household.password)
    async throws -> Outcome
  {
    let password: Value = password.map(Value.string) ?? nil
    return try await household.parent.perform(changeEmail, ["email": .string(email), "password": password])
  }

  // MARK: The address

  @Test func `a new address applies once it is confirmed, and the old one is notified`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let phone = try await ada.signedInAgain(on: server)
      let requested = try await Self.change(ada, to: "New.Ada@example.com")
      #expect(requested.userErrors == [])
      #expect(requested["account"] == ["email": "ada@example.com", "pendingEmail": "New.Ada@example.com"])
      let token = try await server.mail(to: "New.Ada@example.com", about: "new e-mail").token
      let confirmed = try await ada.parent.perform(Self.confirm, ["token": .string(token)])
      let expected: Value = ["email": "New.Ada@example.com", "emailVerified": true, "pendingEmail": nil]
      #expect(confirmed["account"] == expected)
      _ = try await server.mail(to: "ada@example.com", about: "was changed")
      for client in [ada.parent, phone.parent] {
        #expect(try await client.ask(Documents.whoAmI)["errors"] == .null)
      }
      for (email, errors) in [("new.ada@example.com", []), ("ada@example.com", ["input WRONG_CREDENTIALS"])] {
        let input = A02SignInTests.input(email, Household.password)
        #expect(try await server.visitor.perform(Documents.signIn, input).userErrors == errors)
      }
      let again = try await server.visitor.perform(Self.confirm, ["token": .string(token)])
      #expect(again.userErrors == ["token NOT_FOUND"])
      _ = try await Household(on: server, email: "ada@example.com")
    }
  }

  /// Who knew the old password may have requested it.
  @Test func `a new password ends a change that awaits its confirmation`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      #expect(try await Self.change(ada, to: "thief@example.com").userErrors == [])
      let token = try await server.mail(to: "thief@example.com", about: "new e-mail").token
      let passwords: Value = ["old": .string(Household.password), "new": "a fresh password"]
      #expect(try await ada.parent.perform(Documents.changePassword, passwords).userErrors == [])
      let confirmed = try await server.visitor.perform(Self.confirm, ["token": .string(token)])
      #expect(confirmed.userErrors == ["token NOT_FOUND"])
      #expect(
        try await ada.parent.ask("{ viewer { ... on Account { email } } }")["data.viewer.email"] == "ada@example.com"
      )
    }
  }

  /// A thief needs no password within ten minutes of a sign-in.
  @Test func `signing out everywhere ends a change that awaits its confirmation`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let thief = try await ada.signedInAgain(on: server)
      #expect(try await Self.change(thief, to: "thief@example.com", password: nil).userErrors == [])
      let token = try await server.mail(to: "thief@example.com", about: "new e-mail").token
      #expect(try await ada.parent.perform(Documents.signOut, ["everywhere": true])["signedOut"] == true)
      let confirmed = try await server.visitor.perform(Self.confirm, ["token": .string(token)])
      #expect(confirmed.userErrors == ["token NOT_FOUND"])
      let account = try await ada.signedInAgain(on: server).parent.ask(
        "{ viewer { ... on Account { email pendingEmail } } }"
      )
      #expect(account["data.viewer"] == ["email": "ada@example.com", "pendingEmail": nil])
    }
  }

  @Test func `it takes a free address and the password, and an adult`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      _ = try await Household(on: server, email: "other@example.com")
      _ = try await ada.addChild("Mia", username: "mia")
      #expect(try await Self.change(ada, to: "no address").userErrors == ["input.email INVALID"])
      #expect(try await Self.change(ada, to: " ").userErrors == ["input.email BLANK"])
      #expect(try await Self.change(ada, to: "OTHER@example.com").userErrors == ["input.email TAKEN"])
      let wrong = try await Self.change(ada, to: "new@example.com", password: "not it at all")
      #expect(wrong.userErrors == ["input.password WRONG_CREDENTIALS"])
      server.clock.advance(seconds: 601)
      let stale = try await Self.change(ada, to: "new@example.com", password: nil)
      #expect(stale.userErrors == ["input.password BLANK"])
      let child = try await ada.signIn("mia")
      let variables: Value = ["email": "new@example.com"]
      #expect(try await child.perform(Self.changeEmail, variables).codes == ["FORBIDDEN"])
      #expect(try await server.visitor.perform(Self.changeEmail, variables).codes == ["UNAUTHENTICATED"])
    }
  }

  @Test func `only the last request counts, for a day, and not when the address was taken meanwhile`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      _ = try await Self.change(ada, to: "first@example.com")
      let first = try await server.mail(to: "first@example.com", about: "new e-mail").token
      _ = try await Self.change(ada, to: "second@example.com")
      let second = try await server.mail(to: "second@example.com", about: "new e-mail").token
      func confirm(_ token: String) async throws -> [String] {
        try await server.visitor.perform(Self.confirm, ["token": .string(token)]).userErrors
      }
      #expect(try await confirm(first) == ["token NOT_FOUND"])
      _ = try await Household(on: server, email: "second@example.com")
      #expect(try await confirm(second) == ["token TAKEN"])
      _ = try await Self.change(ada, to: "third@example.com")
      let third = try await server.mail(to: "third@example.com", about: "new e-mail").token
      server.clock.advance(days: 1)
      #expect(try await confirm(third) == ["token EXPIRED"])
    }
  }

  @Test func `an invalid address and a wrong password are reported at once`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let errors = try await Self.change(ada, to: "bad", password: "wrong").userErrors
      #expect(errors == ["input.email INVALID", "input.password WRONG_CREDENTIALS"])
      #expect(try await Self.change(ada, to: "bad").userErrors == ["input.email INVALID"])
    }
  }

  @Test func `links that were sent to the old address do not work any more`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      _ = try await server.visitor.perform(Documents.requestReset, ["email": "ada@example.com"])
      let old = try await server.mail(to: "ada@example.com", about: "new password").token
      _ = try await Self.change(ada, to: "new@example.com")
      let token = try await server.mail(to: "new@example.com", about: "new e-mail").token
      #expect(try await server.visitor.perform(Self.confirm, ["token": .string(token)]).userErrors == [])
      let reset = try await server.visitor.perform(Documents.reset, ["token": .string(old), "new": "a fresh password"])
      #expect(reset.userErrors == ["token NOT_FOUND"])
    }
  }

  // MARK: The username of a child

  @Test func `a parent changes a child's username, and the child does not`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let mia = try await ada.addChild("Mia", username: "mia")
      _ = try await ada.addChild("Ben", username: "ben")
      let child = try await ada.signIn("mia")
      let document = """
        mutation ($input: UpdateChildProfileInput!) { updateChildProfile(input: $input) {
          child { username } userErrors { field code message parameters { name value } } } }
        """
      func change(_ username: Value, by client: Client) async throws -> Outcome {
        try await client.perform(document, ["input": ["id": .string(mia), "username": username]])
      }
      #expect(try await change("maria", by: child).codes == ["FORBIDDEN"])
      for (username, code) in [("BEN", "TAKEN"), ("ab", "TOO_SHORT"), ("a b c", "INVALID"), (" ", "BLANK")] {
        #expect(try await change(.string(username), by: ada.parent).userErrors == ["input.username \(code)"])
      }
      let short = try await change("ab", by: ada.parent)
      #expect(short["userErrors.0.parameters"] == [["name": "minimum", "value": "3"]])
      #expect(try await change("MIA", by: ada.parent)["child.username"] == "MIA")
      #expect(try await change("maria", by: ada.parent)["child.username"] == "maria")
      _ = try await ada.signIn("Maria")
      #expect(try await child.ask(Documents.whoAmI)["errors"] == .null)
    }
  }

  @Test func `a child's language is set by a parent or the child, and cleared`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let add = """
        mutation ($input: AddChildInput!) { addChild(input: $input) {
          child { id username locale } userErrors { field code } } }
        """
      let new: Value = ["name": "Mia", "username": "mia", "birth": ["age": 8]]
      let invalid = try await ada.parent.perform(add, ["input": new.setting("locale", "x_y")])
      #expect(invalid.userErrors == ["input.locale INVALID"])
      let added = try await ada.parent.perform(add, ["input": new.setting("locale", "fr-CH")])
      #expect(added["child.locale"] == "fr-CH")
      let (mia, child) = (added["child.id"], try await ada.signIn("mia"))
      let update = """
        mutation ($input: UpdateChildProfileInput!) { updateChildProfile(input: $input) {
          child { locale } userErrors { field code } } }
        """
      func change(_ fields: Value, by client: Client) async throws -> Outcome {
        try await client.perform(update, ["input": fields.setting("id", mia)])
      }
      #expect(try await change(["locale": "es"], by: child)["child.locale"] == "es")
      #expect(try await change(["name": "Maria"], by: child)["child.locale"] == "es")
      #expect(try await change(["locale": "!"], by: child).userErrors == ["input.locale INVALID"])
      #expect(try await change(["locale": nil], by: ada.parent)["child.locale"] == .null)
    }
  }

  // MARK: Registration

  private static let family = "{ viewer { ... on Account { locale family { name timeZone } } } }"

  @Test func `registering takes the family's name, its time zone and a language`() async throws {
    try await TestServer.run { server in
      let input = Household.form("ada@example.com").setting("familyName", "The Lovelaces")
        .setting("timeZone", "Europe/Paris").setting("locale", "pt-BR")
      let registered = try await server.visitor.perform(Documents.register, ["input": input])
      let client = server.visitor.with(token: registered["credentials.accessToken"].string)
      let viewer = try await client.ask(Self.family)["data.viewer"]
      #expect(viewer == ["locale": "pt-BR", "family": ["name": "The Lovelaces", "timeZone": "Europe/Paris"]])
      for locale: Value in ["de", nil] {
        let update = "mutation ($l: String) { updateAccount(input: { locale: $l }) { account { locale } } }"
        #expect(try await client.perform(update, ["l": locale])["account.locale"] == locale)
      }
    }
  }

  @Test func `null in an optional field is as if the field was absent`() async throws {
    try await TestServer.run { server in
      let input = Household.form("ada@example.com").setting("familyName", nil).setting("timeZone", nil)
        .setting("locale", nil).setting("acceptTerms", nil)
      let registered = try await server.visitor.perform(Documents.register, ["input": input])
      #expect(registered.userErrors == [])
      let client = server.visitor.with(token: registered["credentials.accessToken"].string)
      let family = try await client.ask(Self.family)["data.viewer.family"]
      let usual = try await Household(on: server, email: "other@example.com").parent.ask(Self.family)
      #expect(family == usual["data.viewer.family"])
    }
  }

  @Test func `a wrong time zone, an empty name and no language tag are reported at once`() async throws {
    try await TestServer.run { server in
      let input = Household.form("ada@example.com").setting("familyName", " ").setting("timeZone", "Mars/Base")
        .setting("locale", "not a language").setting("firstName", "")
      let rejected = try await server.visitor.perform(Documents.register, ["input": input])
      #expect(
        rejected.userErrors == [
          "input.familyName BLANK", "input.firstName BLANK", "input.locale INVALID", "input.timeZone INVALID",
        ]
      )
    }
  }

  @Test func `an empty first name does not become the last name`() async throws {
    try await TestServer.run { server in
      let input = Household.form("ada@example.com").setting("name", nil).setting("firstName", " ")
        .setting("lastName", "Lovelace")
      let rejected = try await server.visitor.perform(Documents.register, ["input": input])
      #expect(rejected.userErrors == ["input.firstName BLANK"])
    }
  }

  // MARK: Errors

  @Test func `an invalid date or enum has the path of its field`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let input: Value = ["name": "Mia", "birth": ["dateOfBirth": "yesterday"], "gender": "UNKNOWN"]
      let answer = try await ada.parent.post(Documents.addChild, ["input": input])
      let paths = answer.json["errors"].each("extensions.path")
      #expect(Set(paths) == [["input", "birth", "dateOfBirth"], ["input", "gender"]])
      let chore: Value = ["name": "Sweep", "remindAt": ["2026-12-01T00:00:00Z", "soon"]]
      let list = try await ada.parent.post(Documents.addChore, ["input": chore])
      #expect(list.json["errors.0.extensions.path"] == ["input", "remindAt", 1])
    }
  }

  @Test func `user errors have the values of their messages`() async throws {
    try await TestServer.run { server in
      let document = """
        mutation ($input: RegisterInput!) { register(input: $input) {
          userErrors { field parameters { name value } } } }
        """
      let input = Household.form("ada@example.com").setting("password", "short")
        .setting("phone", .string(String(repeating: "1", count: 41)))
      let errors = try await server.visitor.perform(document, ["input": input])["userErrors"].list
      func parameters(_ field: String) -> Value? {
        errors.first { $0["field"].strings.last == field }?["parameters"]
      }
      #expect(parameters("password") == [["name": "minimum", "value": "8"]])
      #expect(parameters("phone") == [["name": "maximum", "value": "40"]])
    }
  }
}
