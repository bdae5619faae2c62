import Foundation
import GraphQL
import Testing

@testable import Hearth

/// Who sees which field of a family's things is written down in `Snapshots/fields.txt`, one line for each field, by all
/// relations that a caller can have to that family. To write it anew, and then to read each line that has changed:
///
///     HEARTH_UPDATE_SNAPSHOTS=1 swift test --filter FieldMatrixTests
@Suite("Who sees what: every field, by everybody")
struct FieldMatrixTests {
  private static let snapshot = Checkout.root.appendingPathComponent("Tests/HearthTests/Snapshots/fields.txt")

  /// What the family's parent does not see here either, and why.
  private static let unseen = [
    "LinkedIdentity": "nobody here has signed in with a provider",
    "Account.identities": "the same",
  ]

  @Test func `as it is written down, by value, and never more than for what does not exist`() async throws {
    let coordinates = try SchemaCoordinates()
    let ways = coordinates.ways
    try await TestServer.run { server in
      let world = try await AuthorisationWorld(on: server)
      for type in coordinates.nodes {
        #expect(world.family.ids[type]?.isEmpty == false || type == "ReminderNotification", "nothing of \(type)")
      }
      var lines = ["coordinate: " + world.callers.map(\.name).joined(separator: ", ")]
      var seen: [String: Set<String>] = [:]
      for type in coordinates.objects where !["Query", "Mutation"].contains(type.name) {
        guard let way = ways[type.name] else {
          lines += type.fields.map { "\(type.name).\($0.name): by mutations alone" }
          continue
        }
        let ids = way.start.map { world.family.ids[$0] ?? [] } ?? []
        for field in type.fields {
          let document = coordinates.document(way, field)
          var cells: [String] = []
          for (name, client) in world.callers {
            let child = world.family.ids["Child"]?.last ?? ""
            let answer = try await client.post(document, variables(way, ids, child: child, document))
            let cell = Self.cell(answer, way, field)
            cells.append(cell)
            let secrets = AuthorisationWorld.secrets(in: answer.text)
            seen[name, default: []].formUnion(secrets)
            if cell == "–", way.start != nil {
              #expect(secrets == [], "\(name): \(type.name).\(field.name)")
              let places = ids.indices.map { AuthorisationWorld.nothing[$0 % AuthorisationWorld.nothing.count] }
              let nothing = try await client.post(document, variables(way, places, child: places.first ?? "", document))
              // Where the node itself is open, its field may be null.
              if !answer.json["data.nodes"].list.contains(where: { $0 != .null }) {
                #expect(answer.text == nothing.text, "\(name): \(type.name).\(field.name)")
              }
            }
          }
          lines.append("\(type.name).\(field.name): \(cells.joined(separator: ", "))")
        }
      }
      for (name, _) in world.callers {
        lines.append("\(name) learns: \(seen[name, default: []].sorted().joined(separator: " "))")
      }
      try compare(lines)
    }
  }

  @Test func `tokens that are over show nothing of any field`() async throws {
    let coordinates = try SchemaCoordinates()
    let ways = coordinates.ways
    try await TestServer.run { server in
      let world = try await AuthorisationWorld(on: server)
      let revoked = try await world.revoked()
      func check(_ client: Client, _ code: String) async throws {
        for type in coordinates.objects {
          guard let way = ways[type.name] else { continue }
          let ids = way.start.map { world.family.ids[$0] ?? [] } ?? []
          for field in type.fields {
            let document = coordinates.document(way, field)
            let answer = try await client.post(document, variables(way, ids, child: ids.first ?? "", document))
            #expect(Set(answer.codes) == [code], "\(type.name).\(field.name)")
            #expect(AuthorisationWorld.secrets(in: answer.text) == [], "\(type.name).\(field.name)")
          }
        }
      }
      try await check(revoked, "TOKEN_REVOKED")
      server.clock.advance(seconds: 15 * 60)
      try await check(world.family.household.parent, "TOKEN_EXPIRED")
      try await check(world.family.child, "TOKEN_EXPIRED")
    }
  }

  private func variables(_ way: SchemaCoordinates.Way, _ ids: [String], child: String, _ document: String) -> Value {
    var variables: Value = [:]
    if way.start != nil { variables = variables.setting("ids", Value(ids)) }
    if document.contains("$child") { variables = variables.setting("child", .string(child)) }
    return variables
  }

  /// What came of it: a value, nothing, or the error's code.
  private static func cell(_ answer: HTTPAnswer, _ way: SchemaCoordinates.Way, _ field: FieldDefinition) -> String {
    let roots = way.start == nil ? [answer.json["data.search"]] : answer.json["data.nodes"].list
    let found = (way.fields + [field.name]).reduce(roots) { values, step in
      values.flatMap { value -> [Value] in
        let next = value[step]
        return if case .array(let items) = next { items } else { [next] }
      }
    }
    if found.contains(where: { $0 != .null }) { return "sees" }
    return Set(answer.codes).sorted().first ?? "–"
  }

  private func compare(_ lines: [String]) throws {
    if ProcessInfo.processInfo.environment["HEARTH_UPDATE_SNAPSHOTS"] != nil {
      try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: Self.snapshot)
    }
    let known = try String(contentsOf: Self.snapshot, encoding: .utf8).split(separator: "\n").map(String.init)
    for line in Set(lines).subtracting(known).sorted() { Issue.record("not written down: \(line)") }
    for line in Set(known).subtracting(lines).sorted() { Issue.record("no longer so: \(line)") }
    for line in lines.dropFirst() where line.contains(".") && !line.hasSuffix("alone") {
      let owner = line.split(separator: ": ").last?.hasPrefix("sees") == true
      let name = line.prefix { $0 != ":" }
      let excused = Self.unseen.keys.contains { name == $0 || name.hasPrefix($0 + ".") }
      #expect(owner || excused, "the family's parent does not see \(name): the test is blind for it")
    }
  }
}
