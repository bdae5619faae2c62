import Foundation
import Testing

@testable import Hearth

/// Random people do random things, and after every few of them what each may see equals what a small model of the rules
/// says. A failure names the seed, which does the same again:
///
///     HEARTH_SIMULATION_SEED=7 swift test --filter ContactBookSimulation
///
/// `HEARTH_SIMULATION=whole` is of 200 people and 20,000 operations, and takes long.
@Suite("The contact book does what its rules say, whatever people do")
struct ContactBookSimulation {
  private struct Size {
    let people: Int
    let operations: Int
    let operationsBetweenChecks: Int

    static let usual = Size(people: 8, operations: 240, operationsBetweenChecks: 40)
    static let whole = Size(people: 200, operations: 20_000, operationsBetweenChecks: 100)
  }

  private static let environment = ProcessInfo.processInfo.environment
  private static let size = environment["HEARTH_SIMULATION"] == "whole" ? Size.whole : .usual
  private static let seeds: [UInt64] =
    environment["HEARTH_SIMULATION_SEED"].flatMap { UInt64($0) }.map { [$0] } ?? [1, 2]
  /// A group is sought among the last that were made, so that there are some in which several are.
  private static let groupsInReach = 6

  private struct World {
    let people: [Household]
    var model = ContactBookModel()
    var groups: [String] = []

    @discardableResult
    func perform(_ document: String, by one: Int, _ variables: Value) async throws -> Outcome {
      // Each has two connections.
      let client = variables.text.utf8.count.isMultiple(of: 2) ? people[one].parent : people[one].parent.another
      let outcome = try await client.perform(document, variables)
      #expect(outcome.errors == .null)
      return outcome
    }

    /// The id of the open request from one to another, as the other sees it; of nothing where there is none.
    func request(from one: Int, to other: Int) async throws -> Value {
      let nodes = try await people[other].requests()["nodes"].list
      return nodes.first { $0["from.id"] == .string(people[one].personID) }?["id"] ?? "0000000000000"
    }

    func contact(of one: Int, _ other: Int) async throws -> Value {
      let query = "Person \(other)"
      let nodes = try await people[one].parent.ask(Documents.contacts, ["query": .string(query)])
      return nodes["data.viewer.contacts.nodes"].list
        .first { $0["person.id"] == .string(people[other].personID) }?["id"] ?? "0000000000000"
    }

    mutating func step(_ random: inout SeededGenerator) async throws {
      let (one, other) = (
        Int.random(in: people.indices, using: &random), Int.random(in: people.indices, using: &random)
      )
      let scopes = D04ContactDetailsTests.all.filter { _ in Bool.random(using: &random) }
      let isOfGroups = Bool.random(using: &random)
      if isOfGroups {
        try await stepOfGroups(one, other, scopes, &random)
      } else {
        try await stepOfContacts(one, other, scopes, &random)
      }
    }

    private mutating func stepOfContacts(
      _ one: Int,
      _ other: Int,
      _ scopes: [String],
      _ random: inout SeededGenerator
    ) async throws {
      let them = Value.string(people[other].personID)
      switch Int.random(in: 0..<10, using: &random) {
      case 0...3:
        try await perform(Documents.requestContact, by: one, ["id": them, "offer": Value(scopes)])
        model.request(one, other, Set(scopes))
      case 4, 5:
        let request = try await request(from: other, to: one)
        try await perform(Documents.acceptContact, by: one, ["id": request, "share": Value(scopes)])
        model.accept(one, of: other, Set(scopes))
      case 6:
        try await perform(Documents.rejectContact, by: one, ["id": request(from: other, to: one)])
        model.reject(one, of: other)
      case 7:
        try await perform(Documents.cancelRequest, by: one, ["id": request(from: one, to: other)])
        model.end(one, other)
      case 8:
        try await perform(Documents.setSharing, by: one, ["id": contact(of: one, other), "scopes": Value(scopes)])
        model.share(one, other, Set(scopes))
      default:
        try await perform(Documents.removeContact, by: one, ["id": contact(of: one, other)])
        model.remove(one, other)
      }
    }

    private mutating func stepOfGroups(
      _ one: Int,
      _ other: Int,
      _ scopes: [String],
      _ random: inout SeededGenerator
    ) async throws {
      let choice = Int.random(in: 0..<20, using: &random)
      guard choice > 0, !groups.isEmpty else {
        let input: Value = ["name": .string("Group \(groups.count)"), "sharing": Value(scopes)]
        let created = try await perform(Documents.createGroup, by: one, ["input": input])
        groups.append(try #require(created["group.id"].string, "\(created)"))
        return model.createGroup(one, Set(scopes))
      }
      let reach = max(0, groups.count - ContactBookSimulation.groupsInReach)..<groups.count
      let group = Int.random(in: reach, using: &random)
      let (id, them) = (Value.string(groups[group]), Value.string(people[other].personID))
      switch choice {
      case 1...7:
        try await perform(Documents.joinGroup, by: one, ["id": id])
        if model.groups[group] != nil { model.join(one, group) }
      case 8...10:
        try await perform(Documents.inviteToGroup, by: one, ["id": id, "people": [them]])
        model.invite(one, other, to: group)
      case 11...13:
        try await perform(Documents.leaveGroup, by: one, ["id": id])
        model.leave(one, group)
      case 14, 15:
        try await perform(Documents.removeGroupMember, by: one, ["id": id, "person": them])
        model.removeMember(one, other, from: group)
      case 16, 17:
        let isAdmin = Bool.random(using: &random)
        let role: Value = isAdmin ? "ADMIN" : "MEMBER"
        try await perform(Documents.setGroupRole, by: one, ["id": id, "person": them, "role": role])
        model.setRole(one, of: other, isAdmin: isAdmin, in: group)
      case 18:
        try await perform(Documents.updateGroup, by: one, ["input": ["id": id, "sharing": Value(scopes)]])
        model.setSharing(one, group, Set(scopes))
      default:
        try await perform(Documents.deleteGroup, by: one, ["id": id])
        model.deleteGroup(one, group)
      }
    }

    /// What everybody sees of everybody is what the model says.
    func check(_ seed: UInt64) async throws {
      for (one, viewer) in people.enumerated() {
        let book = try await viewer.contactBook()
        let contacts = people.indices.filter { model.sharing[[one, $0]] != nil }
        #expect(book["contacts.totalCount"].int == contacts.count, "seed \(seed)")
        #expect(
          Set(book["contacts.nodes"].each("person.id"))
            .isSubset(of: Set(contacts.map { .string(people[$0].personID) })),
          "seed \(seed)"
        )
        for (list, direction) in [("incoming", { [$0, one] }), ("outgoing", { [one, $0] })] {
          let waiting = people.indices.filter { model.requests[direction($0)] != nil }
          #expect(book["\(list).totalCount"].int == waiting.count, "seed \(seed)")
        }
        for (other, seen) in try await self.seen(people.map(\.personID), by: viewer).enumerated() {
          let shown = Set(seen["contactInfo"].each("scope").compactMap(\.string))
          let shared = model.shown(one, of: other, all: Set(D04ContactDetailsTests.all))
          #expect(shown == shared, "seed \(seed): \(one) sees \(other)")
          #expect(seen["relation"] == .string(model.relation(one, other)), "seed \(seed): \(one) and \(other)")
          #expect((seen["dateOfBirth"] != .null) == shared.contains("PERSONAL"), "seed \(seed)")
        }
        try await checkGroups(one, seed)
      }
    }

    private func checkGroups(_ one: Int, _ seed: UInt64) async throws {
      let viewer = people[one]
      let own = model.groups.indices.filter { model.groups[$0]?.place(of: one) != nil }
      #expect(Set(try await viewer.groups()) == Set(own.map { "Group \($0)" }), "seed \(seed)")
      for (number, seen) in try await self.seen(groups, by: viewer).enumerated() {
        guard let group = model.groups[number] else {
          #expect(seen == .null, "seed \(seed): group \(number)")
          continue
        }
        #expect(seen["memberCount"].int == group.members.count, "seed \(seed): group \(number)")
        let role = model.role(of: one, in: group)
        #expect(seen["viewerRole"] == role.map(Value.string) ?? .null, "seed \(seed): \(one) in group \(number)")
        let members = seen["members.nodes"].list.map { "\($0["person.name"].string ?? "") \($0["role"].string ?? "")" }
        let known = group.members.map { "Person \($0.person) \($0.isAdmin ? "ADMIN" : "MEMBER")" }
        #expect(Set(members) == (own.contains(number) ? Set(known) : []), "seed \(seed): \(one) in group \(number)")
      }
    }

    private func seen(_ ids: [String], by viewer: Household) async throws -> [Value] {
      var seen: [Value] = []
      for start in stride(from: 0, to: ids.count, by: 50) {
        let part = Value(Array(ids[start..<min(start + 50, ids.count)]))
        seen += try await viewer.parent.ask(Self.nodes, ["ids": part])["data.nodes"].list
      }
      return seen
    }

    private static let nodes = """
      query ($ids: [ID!]!) { nodes(ids: $ids) {
        ... on Person { relation dateOfBirth contactInfo { scope } }
        ... on Group { memberCount viewerRole members(first: 100) { nodes { person { name } role } } } } }
      """
  }

  @Test(arguments: seeds)
  func `what people see follows from what they did`(seed: UInt64) async throws {
    let day = 86_400
    try await TestServer.run(configure: { $0.accessTokenLifetime = Int64(day) }) { server in
      var people: [Household] = []
      for number in 0..<Self.size.people {
        let person = try await Household("Person \(number)", on: server)
        for scope in D04ContactDetailsTests.all { try await person.addInfo(scope, ["email": "a@example.com"]) }
        people.append(person)
      }
      var random = SeededGenerator(seed: seed)
      var world = World(people: people)
      for number in 1...Self.size.operations {
        // So that none is in a group for as long as another.
        server.clock.advance(seconds: 1)
        try await world.step(&random)
        if number.isMultiple(of: Self.size.operationsBetweenChecks) { try await world.check(seed) }
      }
    }
  }
}
