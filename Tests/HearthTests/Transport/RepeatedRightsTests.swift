import TestSupport
import Testing

@testable import Hearth

/// A mutation can be repeated for a day. Its caller may be in another family by then.
@Suite("The rights of a repeated mutation")
struct RepeatedRightsTests {
  private static let padding = (0..<150).map { "\(String(repeating: "x", count: 120))\($0): name" }
    .joined(separator: " ")
  /// Its response is longer than those that are stored.
  private static let leave = """
    mutation ($password: String!) { leaveFamily(input: { password: $password }) {
      family { id children { name } \(padding) } userErrors { code } } }
    """
  private static let credentials = """
    { credentials { accessToken refreshToken viewer { ... on Account { family { id children { name } } } } } }
    """
  private static let register = "mutation ($input: RegisterInput!) { register(input: $input) \(credentials) }"
  private static let signIn = "mutation ($input: SignInInput!) { signIn(input: $input) \(credentials) }"
  private static let refresh = "mutation ($token: String!) { refreshSession(refreshToken: $token) \(credentials) }"

  private func send(
    _ client: Client,
    key: String,
    _ document: String,
    _ variables: Value
  ) async throws -> HTTPAnswer {
    let request: Value = ["query": .string(document), "variables": variables]
    let authorization = client.token.map { [("Authorization", "Bearer \($0)")] } ?? []
    return try await client.http.post(request.text, headers: authorization + [("Idempotency-Key", key)])
  }

  @Test func `to leave a family, are not those in a family that the parent has left since`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let grace = try await Household("Grace Hopper", on: server)
      let lisa = try await Household("Lisa Shoemaker", on: server)
      try await ada.admit(grace, on: server)
      try await lisa.verifyEmail(on: server)
      let password: Value = ["password": .string(Household.password)]
      let first = try await send(grace.parent, key: "one", Self.leave, password)
      let family = first.json["data.leaveFamily.family.id"]
      #expect(family.string != nil && family != .string(ada.familyID), "\(first.text)")
      // As long as the parent is in the new family, it is read again.
      _ = try await grace.addChild("Kim")
      let again = try await send(grace.parent, key: "one", Self.leave, password).json["data.leaveFamily.family"]
      #expect(again["id"] == family && again["children"] == [["name": "Kim"]])

      _ = try await grace.parent.perform(Documents.inviteParent, ["email": .string(lisa.email)])
      let invitation = Value.string(try await server.mail(to: lisa.email, about: "invites").token)
      let joined = try await lisa.parent.perform(Documents.acceptInvitation, ["token": invitation])
      #expect(joined["family.id"] == family)
      #expect(try await grace.parent.perform(Documents.leaveFamily, password).userErrors == [])
      let late = try await send(grace.parent, key: "one", Self.leave, password)
      #expect(late.json["errors.0.extensions.code"] == "RESPONSE_NOT_KEPT", "\(late.text)")
      #expect(!late.text.contains("Kim"))
    }
  }

  @Test func `to sign in, are those in the family that the member is in now`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      _ = try await ada.addChild("Mia")
      let (visitor, email) = (server.visitor, "grace@example.com")
      let form: Value = ["input": Household.form(email)]
      let input: Value = ["input": ["email": .string(email), "password": .string(Household.password)]]
      let registered = try await send(visitor, key: "register", Self.register, form)
      let grace = visitor.with(token: registered.json["data.register.credentials.accessToken"].string)
      let other = try await visitor.perform(Documents.signIn, input)["credentials.refreshToken"]
      let requests: [(field: String, document: String, variables: Value)] = [
        ("register", Self.register, form), ("signIn", Self.signIn, input),
        ("refreshSession", Self.refresh, ["token": other]),
      ]
      for (field, document, variables) in requests.dropFirst() {
        let first = try await send(visitor, key: field, document, variables)
        #expect(first.json["data.\(field).credentials.viewer.family.children"] == [], "\(first.text)")
      }

      let confirmation = Value.string(try await server.mail(to: email, about: "Confirm").token)
      #expect(try await grace.perform(Documents.verifyEmail, ["token": confirmation]).userErrors == [])
      _ = try await ada.parent.perform(Documents.inviteParent, ["email": .string(email)])
      let invitation = Value.string(try await server.mail(to: email, about: "invites").token)
      let joined = try await grace.perform(Documents.acceptInvitation, ["token": invitation])
      #expect(joined["family.id"] == .string(ada.familyID))
      for (field, document, variables) in requests {
        let again = try await send(visitor, key: field, document, variables)
        let family = again.json["data.\(field).credentials.viewer.family"]
        #expect(family == ["id": .string(ada.familyID), "children": [["name": "Mia"]]], "\(again.text)")
      }
    }
  }
}
