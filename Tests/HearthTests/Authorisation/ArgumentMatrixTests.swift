import GraphQL
import Testing

@testable import Hearth

@Suite("What is asked with another family's ids and cursors")
struct ArgumentMatrixTests {
  /// Each argument of a query that takes an id, and a document that gives it one.
  private static let ids = [
    "Query.node(id:)": "query ($id: ID!) { node(id: $id) { __typename id } }",
    "Query.nodes(ids:)": "query ($id: ID!) { nodes(ids: [$id, $id]) { __typename id } }",
    "Family.child(id:)": "query ($id: ID!) { family { child(id: $id) { __typename id name } } }",
    "Family.chores(filter.assigneeId:)": """
    query ($id: ID!) { family { chores(filter: { assigneeId: $id }) { totalCount nodes { id name } } } }
    """,
  ]

  /// What may be found by everybody who is grown up, so that its id is no secret.
  private static let open: Set<String> = ["Person", "Group"]

  @Test func `every argument that takes an id has a document here`() throws {
    let coordinates = try SchemaCoordinates()
    let schema = coordinates.schema
    var found: [String] = []
    for type in coordinates.objects where type.name != "Mutation" {
      for argument in type.fields.flatMap({ field in field.arguments.map { (field, $0) } }) {
        let input = schema[argument.1.type.type]
        let coordinate = "\(type.name).\(argument.0.name)(\(argument.1.name)"
        if input.name == "ID" { found.append(coordinate + ":)") }
        for field in input.inputFields where schema[field.type.type].name == "ID" {
          found.append("\(coordinate).\(field.name):)")
        }
      }
    }
    #expect(found.sorted() == Self.ids.keys.sorted())
  }

  @Test func `ids of another family are as good as none`() async throws {
    try await TestServer.run { server in
      let world = try await AuthorisationWorld(on: server)
      let rows = try world.rows()
      for (coordinate, document) in Self.ids {
        for client in [world.other.household.parent, world.other.child, server.visitor] {
          let expected = try await client.post(document, ["id": .string(AuthorisationWorld.nothing[0])])
          for (type, ids) in world.family.ids where !Self.open.contains(type) {
            for id in ids {
              let answer = try await client.post(document, ["id": .string(id)])
              #expect(answer.text == expected.text, "\(coordinate) of a \(type)")
            }
          }
        }
      }
      #expect(try world.rows() == rows)
    }
  }

  @Test func `cursors of another family lead to nothing of it`() async throws {
    let coordinates = try SchemaCoordinates()
    try await TestServer.run { server in
      let world = try await AuthorisationWorld(on: server)
      for type in coordinates.objects {
        for field in type.fields where field.arguments.contains(where: { $0.name == "after" }) {
          let coordinate = "\(type.name).\(field.name)"
          // People and groups are found by all.
          if type.name == "Query" || type.name == "Group" { continue }
          let list = { (arguments: String) in
            "\(field.name)(first: 1\(arguments)) { totalCount edges { cursor node\(node(of: field, coordinates)) } }"
          }
          let ask = { (arguments: String, ids: [String], client: Client) in
            try await client.post(
              "query ($ids: [ID!]!) { nodes(ids: $ids) { ... on \(type.name) { \(list(arguments)) } } }",
              ["ids": Value(ids)]
            )
          }
          let theirs = try await ask("", world.family.ids[type.name] ?? [], world.family.household.parent)
          let cursors = theirs.json["data.nodes"].list.flatMap { $0["\(field.name).edges"].each("cursor") }
          #expect(!cursors.isEmpty, "\(coordinate)")
          let own = world.other.ids[type.name] ?? []
          for cursor in cursors.compactMap(\.string) {
            let answer = try await ask(", after: \"\(cursor)\"", own, world.other.household.parent)
            #expect(answer.status == 200)
            #expect(AuthorisationWorld.secrets(in: answer.text) == [], "\(coordinate): \(answer.text)")
          }
        }
      }
    }
  }

  private func node(of field: FieldDefinition, _ coordinates: SchemaCoordinates) -> String {
    let connection = coordinates.schema[field.type.type]
    guard let nodes = connection.field("nodes") else { return "" }
    return coordinates.selection(of: nodes.type.type, depth: 1)
  }
}
