import Foundation
import GraphQL
import Testing

@testable import Hearth

/// Who sees which field of a family's things is written down in `Snapshots/fields.txt`, one line for each field. To
/// rewrite it, and then to read each line that has changed:
///
///     HEARTH_UPDATE_SNAPSHOTS=1 swift test --filter FieldMatrixTests
///
/// A line says who sees `all` of what the family's parent sees of what is theirs, who sees `some` of it, and to whom it
/// is something `other`: as to each their own relation. What the child alone sees is compared with its view. Callers
/// who are not in a line see nothing. Below them stands, of all texts that are the family's, which anybody came by, on
/// whatever way.
@Suite("Visibility: every field, for every caller")
struct FieldMatrixTests {
  private static let snapshot = Checkout.root.appendingPathComponent("Tests/HearthTests/Snapshots/fields.txt")

  @Test func `matches the snapshot by value, and invisible objects look like missing ones`() async throws {
    // Each type of notification has its own alias for each field, which comes to more than the usual limit.
    try await AuthorisationWorld.run(configure: { $0.limits.validation.limits.aliases = 1_000 }) { world in
      try await Self.check(world)
    }
  }

  @Test func `every argument that takes an id is tried`() {
    let lines = ArgumentLine.all.filter { if case .id = $0.value { true } else { false } }.keys
    #expect(lines.filter { !$0.hasPrefix("Subscription.") }.sorted() == Self.byID.keys.sorted())
  }

  private static func check(_ world: AuthorisationWorld) async throws {
    let coordinates = try SchemaCoordinates(ids: world.family.ids(of: ArgumentLine.all))
    var crawls: [(name: String, crawl: Crawl)] = []
    for caller in world.callers {
      let known = world.family.ids.mapValues { Set([$0]) }.merging(crawls.first?.crawl.seen.ids ?? [:]) { $0.union($1) }
      crawls.append((caller.name, try await Crawl(by: caller.client, knowing: known, coordinates)))
    }
    let owner = try #require(crawls.first?.crawl)
    let child = try #require(crawls.first { $0.name == "child" }?.crawl)
    let known = owner.seen.ids.merging(child.seen.ids) { $0.union($1) }
    for type in coordinates.nodes {
      #expect(known[type.name]?.isEmpty == false, "there is no \(type.name) in this world")
    }
    let own = ownKeys(of: owner, world).union(child.seen.ids.filter { $0.key != "Person" }.values.joined())
    let reached = coordinates.reached(from: "Query")
    var lines: [String] = []
    for type in coordinates.objects where reached.contains(type.name) {
      for field in type.fields {
        let coordinate = "\(type.name).\(field.name)"
        func values(_ crawl: Crawl) -> [String: Value] {
          (crawl.seen.values[coordinate] ?? [:]).filter {
            own.contains(node(of: $0.key)) || ofOthers.contains(coordinate) && $0.value != .null
          }
        }
        // What is the child's alone is compared with what the child sees.
        let values = values(owner).isEmpty ? values(child) : values(owner)
        #expect(!values.isEmpty, "neither the parent nor the child sees \(coordinate): the test is blind for it")
        lines.append(line(coordinate, values, crawls))
      }
    }
    for (name, crawl) in crawls { lines.append("\(name) reads: \(crawl.secrets.sorted().joined(separator: " "))") }
    try compare(lines)
    try await checkOutsiders(world, owner.requests)
    for name in ["stranger", "stranger's child", "contact sharing PERSONAL", "fellow of a group"] {
      guard let crawl = crawls.first(where: { $0.name == name })?.crawl, let client = world.client(name) else {
        continue
      }
      try await checkIDs(known, of: client, name, whoSees: crawl.seen.ids)
    }
    let stranger = try #require(crawls.first { $0.name == "stranger" }?.crawl)
    try await checkSearch(for: owner.secrets, by: world.other.household, whoReads: stranger.secrets)
  }

  /// Fields that show what is the viewer's own, of people who are not of the family.
  private static let ofOthers: Set = ["Person.contact", "Person.contactRequest"]

  /// A document for each argument that takes an id.
  private static let byID = [
    "Query.node(id:)": "query ($id: ID!) { node(id: $id) { __typename id } }",
    "Query.nodes(ids:)": "query ($id: ID!) { nodes(ids: [$id, $id]) { __typename id } }",
    "Family.child(id:)": "query ($id: ID!) { family { child(id: $id) { __typename id name } } }",
    "Family.chores(filter.assigneeId:)": """
    query ($id: ID!) { family { chores(filter: { assigneeId: $id }) { totalCount nodes { id name } } } }
    """,
  ]

  /// Ids of invisible objects are indistinguishable from invalid ids, byte by byte.
  private static func checkIDs(
    _ ids: [String: Set<String>],
    of client: Client,
    _ name: String,
    whoSees seen: [String: Set<String>]
  ) async throws {
    for (coordinate, document) in byID {
      let expected = try await client.post(document, ["id": .string(AuthorisationWorld.nothing[0])]).text
      for nothing in AuthorisationWorld.nothing.dropFirst() {
        #expect(try await client.post(document, ["id": .string(nothing)]).text == expected, "\(coordinate)")
      }
      // Every adult can find people and groups.
      for (type, ids) in ids where !["Person", "Group"].contains(type) || name.hasSuffix("child") {
        // The crawl has already requested all of them.
        for id in ids.subtracting(seen[type] ?? []).sorted().prefix(2) {
          let answer = try await client.post(document, ["id": .string(id)]).text
          #expect(answer == expected, "\(coordinate) of a \(type) by \(name)")
        }
      }
    }
  }

  /// Nobody can be found by private data.
  private static func checkSearch(
    for words: Set<String>,
    by stranger: Household,
    whoReads shown: Set<String>
  ) async throws {
    var found: Set<String> = []
    for word in words where try await !stranger.search(word).isEmpty { found.insert(word) }
    #expect(found.count > 10 && words.subtracting(shown).count > 20)
    #expect(found.subtracting(shown) == [])
  }

  /// The family's own objects among all that its parent sees, without public people and groups.
  private static func ownKeys(of owner: Crawl, _ world: AuthorisationWorld) -> Set<String> {
    var own: Set<String> = ["Query", world.family.household.personID, world.family.ids["Group"] ?? ""]
    // The parent has requested to join it.
    own.insert(world.family.ids["Club"] ?? "")
    for (type, ids) in owner.seen.ids where !["Person", "Group"].contains(type) { own.formUnion(ids) }
    return own
  }

  /// The id of what a value is of.
  private static func node(of key: String) -> String { String(key.prefix { $0 != "." && $0 != " " }) }

  private static func line(_ coordinate: String, _ values: [String: Value], _ crawls: [(name: String, crawl: Crawl)])
    -> String
  {
    var cells: [String: [String]] = [:]
    for (name, crawl) in crawls {
      let seen = (crawl.seen.values[coordinate] ?? [:]).filter { values[$0.key] != nil }
      let cell =
        if !seen.isEmpty {
          if seen.contains(where: { values[$0.key] != $0.value }) { "other" } else { seen == values ? "all" : "some" }
        } else { crawl.rejected[coordinate].map { $0.sorted().joined(separator: " ") } ?? "" }
      cells[cell, default: []].append(name)
    }
    cells[""] = nil
    let lines = cells.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value.joined(separator: ", "))" }
    return "\(coordinate) — \(lines.joined(separator: "; "))"
  }

  /// The requests of the family's parent are repeated with invalid tokens.
  private static func checkOutsiders(
    _ world: AuthorisationWorld,
    _ requests: [(document: String, variables: Value?)]
  ) async throws {
    for (caller, code) in world.outsiders {
      for (document, variables) in requests {
        let answer = try await caller.client.post(document, variables)
        // An anonymous caller: that is no secret.
        if answer.json == ["data": ["viewer": nil]] { continue }
        #expect(Set(answer.codes) == [code], "\(caller.name): \(document)")
        #expect(values(in: answer.json["data"]) == [], "\(caller.name): \(document)")
      }
    }
  }

  private static func values(in value: Value) -> [Value] {
    switch value {
    case .null: []
    case .object(let members): members.values.flatMap { values(in: $0) }
    case .array(let items): items.flatMap { values(in: $0) }
    default: [value]
    }
  }

  private static func compare(_ lines: [String]) throws {
    if TestOptions.updatesSnapshots {
      try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: snapshot)
    }
    let known = try String(contentsOf: snapshot, encoding: .utf8).split(separator: "\n").map(String.init)
    for line in Set(lines).subtracting(known).sorted() { Issue.record("not written down: \(line)") }
    for line in Set(known).subtracting(lines).sorted() { Issue.record("no longer so: \(line)") }
  }
}
