import GraphQL
import Testing

@testable import Hearth

@Suite("Who changes what: every mutation, by everybody")
struct MutationMatrixTests {
  private struct Case {
    let line: MutationLine
    let document: String
    let places: [String: String]
  }

  private static func cases() throws -> [Case] {
    let coordinates = try SchemaCoordinates()
    return MutationLine.all.compactMap { line in
      guard let field = coordinates.mutations.first(where: { $0.name == line.name }) else { return nil }
      return Case(line: line, document: coordinates.document(field), places: line.places)
    }
  }

  @Test func `each has a line, and each id that it takes a place in it`() throws {
    let coordinates = try SchemaCoordinates()
    #expect(coordinates.mutations.map(\.name).sorted() == MutationLine.all.map(\.name).sorted())
    for line in MutationLine.all {
      guard let mutation = coordinates.mutations.first(where: { $0.name == line.name }) else { continue }
      #expect(line.places.keys.sorted() == coordinates.ids(of: mutation).sorted(), "Mutation.\(line.name)")
    }
  }

  @Test func `by those who are not signed in, with tokens that are over, and by children`() async throws {
    let cases = try Self.cases()
    try await TestServer.run { server in
      let world = try await AuthorisationWorld(on: server)
      let revoked = try await world.revoked()
      func refused(_ client: Client, _ code: String, _ who: (MutationLine.Who) -> Bool) async throws {
        let before = try world.rows()
        for one in cases where who(one.line.who) {
          let ids = one.places.mapValues { world.family.ids[$0]?.first ?? "" }
          let answer = try await client.post(one.document, one.line.variables(ids))
          #expect(answer.codes == [code], "\(one.line.name): \(answer.text)")
          #expect(AuthorisationWorld.secrets(in: answer.text) == [], "\(one.line.name)")
        }
        #expect(try world.rows() == before)
      }
      try await refused(server.visitor, "UNAUTHENTICATED") { $0 != .everybody }
      try await refused(revoked, "TOKEN_REVOKED") { $0 != .everybody }
      try await refused(world.family.child, "FORBIDDEN") { $0 == .parents }
      try await refused(world.other.child, "FORBIDDEN") { $0 == .parents }
      server.clock.advance(seconds: 15 * 60)
      try await refused(world.family.household.parent, "TOKEN_EXPIRED") { $0 != .everybody }
      try await refused(world.family.child, "TOKEN_EXPIRED") { $0 != .everybody }
    }
  }

  @Test func `another family's ids change nothing, and look like none`() async throws {
    let cases = try Self.cases()
    try await TestServer.run { server in
      let world = try await AuthorisationWorld(on: server)
      let callers = [("parent", world.other.household.parent), ("child", world.other.child)]
      for one in cases {
        for place in one.places.keys.sorted() where !one.line.open.contains(place) {
          for (name, client) in callers where name == "parent" || one.line.who == .members {
            let own = one.places.mapValues { world.other.ids[$0]?.first ?? "" }
            let before = try world.rows()
            func answer(_ id: String) async throws -> HTTPAnswer {
              try await client.post(one.document, one.line.variables(own.merging([place: id]) { $1 }))
            }
            let expected = try await answer(AuthorisationWorld.nothing[0])
            for id in world.family.ids[one.places[place] ?? ""] ?? [] {
              let given = try await answer(id)
              #expect(given.text == expected.text, "\(one.line.name) by \(name): \(place)")
              #expect(AuthorisationWorld.secrets(in: given.text) == [], "\(one.line.name): \(given.text)")
            }
            #expect(try world.rows() == before, "\(one.line.name) by \(name): \(place)")
          }
        }
      }
    }
  }

  /// Groups and people can be found and asked by everybody, but only those who stand well in a group change it.
  @Test func `of what is open to all only what is asked for changes`() async throws {
    let cases = try Self.cases().filter { !$0.line.open.isEmpty }
    try await TestServer.run { server in
      let world = try await AuthorisationWorld(on: server)
      let group = try #require(world.family.ids["Group"]?.first)
      let before = try await world.family.household.group(group)
      for one in cases where !["joinGroup", "requestContact"].contains(one.line.name) {
        let ids = one.places.mapValues { world.family.ids[$0]?.first ?? "" }
        let rows = try world.rows()
        let answer = try await world.other.household.parent.post(one.document, one.line.variables(ids))
        #expect(
          answer.text.contains("NOT_ALLOWED") || answer.text.contains("NOT_FOUND"),
          "\(one.line.name): \(answer.text)"
        )
        #expect(try world.rows() == rows, "\(one.line.name)")
      }
      #expect(try await world.family.household.group(group) == before)
    }
  }
}
