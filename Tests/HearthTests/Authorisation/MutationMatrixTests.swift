import GraphQL
import Testing

@testable import Hearth

@Suite("Rights: every mutation, for every caller", .timeLimit(.minutes(20)))
struct MutationMatrixTests {
  private struct Case {
    let line: MutationLine
    let mutation: FieldDefinition
    let document: String
    let idPaths: [String: String]

    func ids(_ ids: [String: String]) -> [String: String] { idPaths.mapValues { ids[$0] ?? "?" } }
  }

  private static let personal: Set<String> = [
    "Session", "Device", "ContactInfo", "Contact", "ContactRequest", "OtherRequest", "SentRequest",
    "ContactRequestNotification",
    "JoinRequest", "OtherJoinRequest", "ChoreReturnedNotification",
  ]

  /// Everybody can perform these for themselves.
  private static let own: Set<String> = [
    "signOut", "markNotificationsRead", "registerDevice", "unregisterDevice", "updateNotificationSettings",
  ]

  /// The current forms of all mutations, or the deprecated ones.
  private static func cases(_ coordinates: SchemaCoordinates, deprecated: Bool = false) -> [Case] {
    (deprecated ? MutationLine.deprecated : MutationLine.all).compactMap { line in
      guard let field = coordinates.mutations.first(where: { $0.name == line.name }) else { return nil }
      let document = coordinates.document(field, deprecated: deprecated)
      return Case(line: line, mutation: field, document: document, idPaths: line.idPaths)
    }
  }

  private static func allCases(_ coordinates: SchemaCoordinates) -> [Case] {
    cases(coordinates) + cases(coordinates, deprecated: true)
  }

  @Test func `each has a line, and each id argument has an index in it`() throws {
    let coordinates = try SchemaCoordinates()
    for (lines, deprecated) in [(MutationLine.all, false), (MutationLine.deprecated, true)] {
      let mutations = coordinates.mutations.filter { mutation in
        let isDeprecated = mutation.deprecationReason != nil
        return deprecated
          ? isDeprecated || mutation.arguments.contains { $0.deprecationReason != nil } : !isDeprecated
      }
      #expect(Set(lines.map(\.name)) == Set(mutations.map(\.name)), "there are others, or these have no line")
      for mutation in mutations {
        for line in lines where line.name == mutation.name {
          let ids = coordinates.ids(of: mutation, deprecated: deprecated)
          #expect(line.idPaths.keys.sorted() == ids.sorted(), "Mutation.\(line.name)")
        }
      }
    }
  }

  @Test(.enabled(if: IssuerProcess.isAvailable))
  func `succeeds for its callers, so that the line is known to be valid`() async throws {
    let issuer = try await IssuerProcess()
    try await AuthorisationWorld.run(configure: issuer.configure) { world in
      let coordinates = try SchemaCoordinates(ids: world.family.ids(of: ArgumentLine.all))
      let secrets = try await Self.secrets(of: world, issuer)
      var seen = Sightings(coordinates)
      for one in Self.cases(coordinates) {
        let client = one.line.by == "visitor" ? world.visitor : try #require(world.client(one.line.by))
        var ids = world.family.ids
        // A removal that an earlier line has requested.
        if let open = try await parentRemoval(world) { ids["ParentRemoval"] = open }
        let answer = try await client.post(one.document, one.line.variables(one.ids(ids), secrets))
        #expect(answer.codes == [], "\(one.line.name): \(answer.text)")
        let payload = answer.json["data.\(one.line.name)"]
        #expect(payload["userErrors"] == [], "\(one.line.name): \(answer.text)")
        // Each is independent: the objects that it refers to can have changed since.
        var sightings = Sightings(coordinates)
        let type = coordinates.schema[one.mutation.type.type]
        sightings.read(payload, type, one.line.name)
        sightings.read(["userErrors": [["__typename": "UserError"]]], type, one.line.name)
        seen.add(sightings)
      }
      let read = coordinates.reached(from: "Query").union(["Mutation", "UserError", "UserErrorParameter"])
      for type in coordinates.objects where coordinates.reached(from: "Mutation").subtracting(read).contains(type.name)
      {
        for field in type.fields {
          let coordinate = "\(type.name).\(field.name)"
          #expect(seen.values[coordinate] != nil, "no mutation's answer has \(coordinate): the test is blind for it")
        }
      }
    }
  }

  private func parentRemoval(_ world: AuthorisationWorld) async throws -> String? {
    let answer = try await world.family.household.parent.ask(Documents.parents)
    return answer["data.family.parentRemoval.id"].string
  }

  /// Data that only its owner may see.
  private static func secrets(of world: AuthorisationWorld, _ issuer: IssuerProcess) async throws -> [String: String] {
    let (server, parent) = (world.server, world.family.household.parent)
    let refreshed = try await server.visitor.perform(
      Documents.signIn,
      A02SignInTests.input(world.partner.email, Household.password)
    )
    let code = try await parent.ask(Documents.signInCode, ["id": .string(world.family.ids["Child"] ?? "")])
    _ = try await server.visitor.perform(Documents.requestReset, ["email": "as.king@example.com"])
    // Not the caller whose password is reset, which ends a change of the address.
    let stranger = try #require(world.client("stranger"))
    let change: Value = ["email": "stranger.new@example.com", "password": .string(Household.password)]
    _ = try await stranger.perform(
      "mutation ($input: ChangeEmailInput!) { changeEmail(input: $input) { account { id } } }",
      ["input": change]
    )
    let friends = try await issuer.accessToken("EAABfriends", friends: [["id": "101", "name": "Johnny"]])
    return [
      "email": world.family.household.email, "password": Household.password,
      "username": "\(AuthorisationWorld.mark)username", "phone": "+1 617 555 0123",
      "newcomer": try await issuer.token(["sub": "newcomer", "email": "newcomer@example.com", "exp": 1_795_249_500]),
      "linked": try await issuer.token(["sub": "linked", "email": "linked@example.com", "exp": 1_795_249_500]),
      "friends": friends,
      "code": try #require(code["data.family.child.signInCode.token"].string),
      "refresh": try #require(refreshed["credentials.refreshToken"].string),
      "reset": try await server.mail(to: "as.king@example.com", about: "new password").token,
      "emailChange": try await server.mail(to: "stranger.new@example.com", about: "new e-mail").token,
      "verification": try await server.mail(to: world.family.household.email, about: "Confirm").token,
      "invitation": try await server.mail(to: "as.ked@example.com", about: "invites").token,
      "stop": try await server.mail(to: "as.ked@example.com", about: "invites").stopToken,
    ]
  }

  @Test func `fails for anonymous callers, expired tokens and children`() async throws {
    let cases = Self.allCases(try SchemaCoordinates())
    try await AuthorisationWorld.run { world in
      func rejected(_ client: Client, _ code: String, _ who: (MutationLine) -> Bool) async throws {
        let before = try world.rows()
        for one in cases where who(one.line) {
          let answer = try await client.post(one.document, one.line.variables(one.ids(world.family.ids)))
          #expect(answer.codes == [code], "\(one.line.name): \(answer.text)")
          #expect(answer.json["data"] == .null, "\(one.line.name): \(answer.text)")
        }
        #expect(try world.rows() == before)
      }
      for (caller, code) in world.outsiders { try await rejected(caller.client, code) { $0.who != .everybody } }
      for name in ["child", "stranger's child"] {
        try await rejected(try #require(world.client(name)), "FORBIDDEN") { $0.who == .parents }
      }
      let sibling = world.visitor.with(token: world.family.sibling.token)
      try await rejected(sibling, "FORBIDDEN") { $0.who != .everybody && !Self.own.contains($0.name) }
    }
  }

  @Test func `another family's ids change nothing, and look like none`() async throws {
    let coordinates = try SchemaCoordinates()
    let cases = Self.allCases(coordinates).filter { !$0.idPaths.isEmpty }
    try await AuthorisationWorld.run { world in
      let before = try world.rows()
      for caller in world.callers where !["parent", "child"].contains(caller.name) {
        for one in cases where caller.name != "stranger's child" || one.line.who == .members {
          for (path, type) in one.idPaths where !one.line.open.contains(path) {
            // Objects that the family's other parent can change are not personal.
            if caller.name == "partner" && !Self.personal.contains(type) { continue }
            // All else that is given is their own, or they have none of it.
            let own = caller.name.hasPrefix("stranger") ? one.ids(world.other.ids) : one.ids([:])
            func answer(_ id: String) async throws -> String {
              let variables = one.line.variables(own.merging([path: id]) { $1 })
              return try await caller.client.post(one.document, variables).text
            }
            let given = try await answer(world.family.ids[type] ?? "?")
            #expect(given == (try await answer(AuthorisationWorld.nothing[0])), "\(one.line.name) by \(caller.name)")
            #expect(AuthorisationWorld.secrets(in: given) == [], "\(one.line.name) by \(caller.name)")
          }
        }
        #expect(try world.rows() == before, "\(caller.name)")
      }
    }
  }

  /// People can be asked and groups joined by all adults, but only a group's admins change it, and its members invite.
  @Test func `of a group fails for callers without the required role`() async throws {
    let cases = Self.allCases(try SchemaCoordinates()).filter { one in
      one.idPaths.values.contains { ["Group", "Circle"].contains($0) }
    }
    try await AuthorisationWorld.run { world in
      let before = try world.rows()
      let ids = world.family.ids.merging(["Circle": world.family.ids["Group"] ?? ""]) { $1 }
      let allowed = [
        "fellow of a group": ["joinGroup", "leaveGroup", "inviteToGroup"],
        "invited to a group": ["joinGroup", "leaveGroup"],
        "asking to join a group": ["joinGroup", "leaveGroup"],
      ]
      for caller in world.callers.dropFirst() where !caller.name.hasSuffix("child") {
        for one in cases where !(allowed[caller.name] ?? ["joinGroup"]).contains(one.line.name) {
          let answer = try await caller.client.post(one.document, one.line.variables(one.ids(ids)))
          let codes = answer.json["data.\(one.line.name).userErrors"].each("code")
          let isRefused = !codes.isEmpty && codes.allSatisfy { ["NOT_ALLOWED", "NOT_FOUND"].contains($0) }
          #expect(isRefused, "\(one.line.name) by \(caller.name): \(answer.text)")
        }
        #expect(try world.rows() == before, "\(caller.name)")
      }
    }
  }
}
