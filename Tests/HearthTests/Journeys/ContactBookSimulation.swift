import Testing

@testable import Hearth

/// Random people do random things, and after every few of them what each may see equals what a small model of the rules
/// says. A failure names the seed, which does the same again.
@Suite("The contact book does what its rules say, whatever people do")
struct ContactBookSimulation {
  private static let people = 8
  private static let operations = 200
  private static let operationsBetweenChecks = 40

  /// The rules: who shares what with whom, and who waits for whose answer.
  private struct Model {
    /// What the first shares with the second; both directions are there, or none.
    var sharing: [[Int]: Set<String>] = [:]
    /// What the first offers the second.
    var requests: [[Int]: Set<String>] = [:]

    mutating func request(_ one: Int, _ other: Int, _ offered: Set<String>) {
      guard one != other, sharing[[one, other]] == nil, requests[[one, other]] == nil else { return }
      if let theirs = requests.removeValue(forKey: [other, one]) {
        sharing[[one, other]] = offered
        sharing[[other, one]] = theirs
      } else {
        requests[[one, other]] = offered
      }
    }

    mutating func accept(_ one: Int, of other: Int, _ shared: Set<String>) {
      guard let theirs = requests.removeValue(forKey: [other, one]) else { return }
      sharing[[one, other]] = shared
      sharing[[other, one]] = theirs
    }

    mutating func end(_ one: Int, _ other: Int) { requests[[one, other]] = nil }

    mutating func share(_ one: Int, _ other: Int, _ shared: Set<String>) {
      if sharing[[one, other]] != nil { sharing[[one, other]] = shared }
    }

    mutating func remove(_ one: Int, _ other: Int) {
      sharing[[one, other]] = nil
      sharing[[other, one]] = nil
    }
  }

  private struct World {
    let people: [Household]
    let server: TestServer
    var model = Model()

    func perform(_ document: String, by one: Int, _ variables: Value) async throws {
      let outcome = try await people[one].parent.perform(document, variables)
      #expect(outcome.errors == .null)
    }

    /// The id of the open request from one to another, as the other sees it; of nothing where there is none.
    func request(from one: Int, to other: Int) async throws -> Value {
      let nodes = try await people[other].requests()["nodes"].list
      return nodes.first { $0["from.id"] == .string(people[one].personID) }?["id"] ?? "0000000000000"
    }

    func contact(of one: Int, _ other: Int) async throws -> Value {
      let nodes = try await people[one].parent.ask(Documents.contacts)["data.viewer.contacts.nodes"].list
      return nodes.first { $0["person.id"] == .string(people[other].personID) }?["id"] ?? "0000000000000"
    }

    mutating func step(_ random: inout SeededGenerator) async throws {
      let (one, other) = (
        Int.random(in: people.indices, using: &random), Int.random(in: people.indices, using: &random)
      )
      let scopes = D04ContactDetailsTests.all.filter { _ in Bool.random(using: &random) }
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
        model.end(other, one)
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

    /// What everybody sees of everybody is what the model says.
    func check(_ seed: UInt64) async throws {
      for (one, viewer) in people.enumerated() {
        let book = try await viewer.contactBook()
        let contacts = people.indices.filter { model.sharing[[one, $0]] != nil }
        #expect(book["contacts.totalCount"].int == contacts.count, "seed \(seed)")
        #expect(
          Set(book["contacts.nodes"].each("person.id")) == Set(contacts.map { .string(people[$0].personID) }),
          "seed \(seed)"
        )
        for (list, direction) in [("incoming", { [$0, one] }), ("outgoing", { [one, $0] })] {
          let waiting = people.indices.filter { model.requests[direction($0)] != nil }
          #expect(book["\(list).totalCount"].int == waiting.count, "seed \(seed)")
        }
        for (other, person) in people.enumerated() {
          let seen = try await viewer.sees(person)
          let shown = Set(seen["contactInfo"].each("scope").compactMap(\.string))
          let shared = one == other ? Set(D04ContactDetailsTests.all) : model.sharing[[other, one]] ?? []
          #expect(shown == shared, "seed \(seed): \(one) sees \(other)")
          #expect(seen["relation"] == .string(relation(one, other)), "seed \(seed): \(one) and \(other)")
          #expect((seen["dateOfBirth"] != .null) == shared.contains("PERSONAL"), "seed \(seed)")
        }
      }
    }

    private func relation(_ one: Int, _ other: Int) -> String {
      if one == other { return "SELF" }
      if model.sharing[[one, other]] != nil { return "CONTACT" }
      if model.requests[[one, other]] != nil { return "REQUEST_SENT" }
      return model.requests[[other, one]] != nil ? "REQUEST_RECEIVED" : "NONE"
    }
  }

  @Test(arguments: [1, 2] as [UInt64])
  func `what people see follows from what they did`(seed: UInt64) async throws {
    try await TestServer.run { server in
      var people: [Household] = []
      for number in 0..<Self.people {
        let person = try await Household("Person \(number)", on: server)
        for scope in D04ContactDetailsTests.all { try await person.addInfo(scope, ["email": "a@example.com"]) }
        people.append(person)
      }
      var random = SeededGenerator(seed: seed)
      var world = World(people: people, server: server)
      for number in 1...Self.operations {
        try await world.step(&random)
        if number.isMultiple(of: Self.operationsBetweenChecks) { try await world.check(seed) }
      }
    }
  }
}
