import GraphQL
import Testing

@testable import Hearth

@Suite("What is asked with another family's ids and cursors", .timeLimit(.minutes(20)))
struct ArgumentMatrixTests {
  @Test func `every argument has a line`() throws {
    let coordinates = try SchemaCoordinates()
    var found: Set<String> = []
    for type in coordinates.objects where type.name != "Mutation" {
      for field in type.fields { found.formUnion(coordinates.arguments(of: type, field).map(\.coordinate)) }
    }
    #expect(found.subtracting(ArgumentLine.all.keys).sorted() == [], "these have no line")
    #expect(Set(ArgumentLine.all.keys).subtracting(found).sorted() == [], "there are none of these")
  }

  /// What everybody who is grown up can find, so that its id is no secret.
  private static let open: Set<String> = ["Person", "Group"]

  /// A document for each argument that takes an id.
  private static let documents = [
    "Query.node(id:)": "query ($id: ID!) { node(id: $id) { __typename id } }",
    "Query.nodes(ids:)": "query ($id: ID!) { nodes(ids: [$id, $id]) { __typename id } }",
    "Family.child(id:)": "query ($id: ID!) { family { child(id: $id) { __typename id name } } }",
    "Family.chores(filter.assigneeId:)": """
    query ($id: ID!) { family { chores(filter: { assigneeId: $id }) { totalCount nodes { id name } } } }
    """,
  ]

  @Test func `ids of what is not for somebody are as good as none`() async throws {
    let lines = ArgumentLine.all.filter { if case .id = $0.value { true } else { false } }.keys
    #expect(lines.filter { !$0.hasPrefix("Subscription.") }.sorted() == Self.documents.keys.sorted())
    try await TestServer.run { server in
      let world = try await AuthorisationWorld(on: server)
      let coordinates = try SchemaCoordinates(ids: world.family.ids(of: ArgumentLine.all))
      let family = world.family.ids.mapValues { Set([$0]) }
      let parent = try await Crawl(by: world.family.household.parent, knowing: family, coordinates)
      for name in ["stranger", "stranger's child", "contact sharing PERSONAL", "fellow of a group"] {
        let client = try #require(world.client(name))
        let sees = try await Crawl(by: client, knowing: [:], coordinates).seen.ids
        for (coordinate, document) in Self.documents {
          let expected = try await client.post(document, ["id": .string(AuthorisationWorld.nothing[0])]).text
          for nothing in AuthorisationWorld.nothing.dropFirst() {
            #expect(try await client.post(document, ["id": .string(nothing)]).text == expected, "\(coordinate)")
          }
          for (type, ids) in parent.seen.ids where !Self.open.contains(type) || name.hasSuffix("child") {
            for id in ids.subtracting(sees[type] ?? []) {
              let answer = try await client.post(document, ["id": .string(id)]).text
              #expect(answer == expected, "\(coordinate) of a \(type) by \(name)")
            }
          }
        }
      }
    }
  }

  /// The cursor is the family's, the list somebody else's: what is on the page is theirs.
  @Test func `cursors of another family lead to nothing of it`() async throws {
    let coordinates = try SchemaCoordinates()
    try await TestServer.run { server in
      let world = try await AuthorisationWorld(on: server)
      let stranger = world.other.household.parent
      for coordinate in ArgumentLine.all.filter({ if case .cursor = $0.value { true } else { false } }).keys {
        let names = coordinate.split(separator: "(")[0].split(separator: ".").map(String.init)
        let type = try #require(coordinates.object(names[0]))
        let list = try #require(type.field(names[1]))
        func page(_ client: Client, _ id: String, _ more: String) async throws -> (answer: HTTPAnswer, page: Value) {
          let needed = type.name == "Query" ? ", query: \"friend\"" : ""
          let nodes = try #require(coordinates.object(coordinates.schema[list.type.type].name)?.field("nodes"))
          let selection = coordinates.selection(below: nodes.type.type)
          let asked = "\(list.name)(first: 1\(needed)\(more)) { totalCount edges { cursor } nodes\(selection) }"
          if type.name == "Query" {
            let answer = try await client.post("{ \(asked) }")
            return (answer, answer.json["data.\(list.name)"])
          }
          let document = "query ($id: ID!) { node(id: $id) { ... on \(type.name) { \(asked) } } }"
          let answer = try await client.post(document, ["id": .string(id)])
          return (answer, answer.json["data.node.\(list.name)"])
        }
        let theirs = try await page(world.family.household.parent, world.family.ids[type.name] ?? "", "").page
        let cursor = try #require(theirs["edges.0.cursor"].string, "\(coordinate): \(theirs)")
        let own = world.other.ids[type.name] ?? ""
        let answer = try await page(stranger, own, ", after: \"\(cursor)\"").answer
        #expect(answer.status == 200 && answer.codes == [], "\(coordinate): \(answer.text)")
        // What is found by everybody may be on the next page too.
        if type.name == "Query" { continue }
        #expect(AuthorisationWorld.secrets(in: answer.text) == [], "\(coordinate): \(answer.text)")
      }
    }
  }

  @Test func `whoever goes on after another's notification is told of their own`() async throws {
    try await TestServer.run { server in
      let world = try await AuthorisationWorld(on: server)
      let id = world.family.ids["ContactRequestNotification"] ?? ""
      let document = "subscription { notificationReceived(after: \"\(id)\") { __typename message } }"
      let listener = try await Listener.open(server.port, world.other.household.parent, document)
      let suitor = try await Household("Ownend End", on: server)
      _ = try await suitor.request(world.other.household)
      var text = ""
      repeat {
        text = try await listener.next().text
      } while AuthorisationWorld.secrets(in: text).isEmpty && !text.contains("Ownend")
      #expect(AuthorisationWorld.secrets(in: text) == [])
    }
  }

  @Test func `nobody is found by what is not public of them`() async throws {
    try await TestServer.run { server in
      let world = try await AuthorisationWorld(on: server)
      let coordinates = try SchemaCoordinates(ids: world.family.ids(of: ArgumentLine.all))
      let family = world.family.ids.mapValues { Set([$0]) }
      let all = try await Crawl(by: world.family.household.parent, knowing: family, coordinates).secrets
      let stranger = try #require(world.client("stranger"))
      let shown = try await Crawl(by: stranger, knowing: [:], coordinates).secrets
      #expect(all.subtracting(shown).count > 20 && shown.count > 10)
      var words: Set<String> = []
      for word in all where try await !world.other.household.search(word).isEmpty { words.insert(word) }
      #expect(words.count > 10 && words.subtracting(shown) == [])
    }
  }
}
