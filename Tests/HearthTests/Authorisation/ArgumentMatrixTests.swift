import GraphQL
import TestSupport
import Testing

@testable import Hearth

@Suite("Other families' cursors and identifiers as arguments", .timeLimit(.minutes(20)))
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

  /// The cursor is the family's, the list somebody else's: what is on the page is theirs.
  @Test func `cursors of another family lead to nothing of it`() async throws {
    let coordinates = try SchemaCoordinates()
    try await AuthorisationWorld.run { world in
      let stranger = try #require(world.client("stranger"))
      let child = try #require(world.client("stranger's child"))
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
        // A child's notifications are visible to the child alone.
        let isChilds = coordinate.hasPrefix("Child.notifications")
        let owner = isChilds ? world.family.child : world.family.household.parent
        let theirs = try await page(owner, world.family.ids[type.name] ?? "", "").page
        let cursor = try #require(theirs["edges.0.cursor"].string, "\(coordinate): \(theirs)")
        let own = world.other.ids[type.name] ?? ""
        let answer = try await page(isChilds ? child : stranger, own, ", after: \"\(cursor)\"").answer
        #expect(answer.status == 200 && answer.codes == [], "\(coordinate): \(answer.text)")
        // Public objects can be on the next page too.
        if type.name == "Query" { continue }
        #expect(AuthorisationWorld.secrets(in: answer.text) == [], "\(coordinate): \(answer.text)")
      }
    }
  }

  @Test func `nobody resumes after another's notification: it is treated as missing`() async throws {
    try await AuthorisationWorld.run { world in
      let stranger = try #require(world.client("stranger"))
      var refusals: Set<String> = []
      for id in [world.family.ids["ContactRequestNotification"] ?? "", "nonsense", world.other.household.personID] {
        let document = "subscription { notificationReceived(after: \"\(id)\") { __typename message } }"
        let listener = try await Listener.open(stranger.http.port, stranger, document)
        refusals.insert("\(try await listener.socket.receive())")
      }
      #expect(refusals.count == 1, "\(refusals)")
      #expect(refusals.first?.contains("BAD_USER_INPUT") == true, "\(refusals)")
    }
  }
}
