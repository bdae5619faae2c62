import GraphQL
import TestSupport
import Testing

@testable import Hearth

/// A server as a subgraph of a Federation 2 supergraph (`HEARTH_SUBGRAPH`).
@Suite("A subgraph")
struct SubgraphTests {
  private static let entities = """
    query ($representations: [_Any!]!) {
      _entities(representations: $representations) {
        __typename ... on Chore { name } ... on Child { name } ... on Family { id }
      }
    }
    """

  /// The definitions of Federation that a gateway adds.
  private static let federation = """
    directive @link(url: String!, import: [String!]) repeatable on SCHEMA
    directive @key(fields: String!) repeatable on OBJECT | INTERFACE
    directive @shareable on OBJECT | FIELD_DEFINITION

    """

  @Test func `shows a schema with a key for every object that has an id`() async throws {
    try await TestServer.run(configure: { $0.isSubgraph = true }) { server in
      let answer = try await server.visitor.ask("{ _service { sdl } }")
      let sdl = try #require(answer["data._service.sdl"].string, "\(answer)")
      let schema = try SchemaBuilder.build(Self.federation + sdl)
      #expect(sdl.contains("type PageInfo @shareable {"))
      let keyed = sdl.split(separator: "\n").filter { $0.contains("@key(fields: \"id\") {") }.count
      let complete = try HearthSchema.executable().schema
      #expect(schema.types.count == complete.types.count)
      let node = try #require(complete.type(named: "Node"))
      #expect(keyed == complete[node].possibleTypes.count && keyed > 30)
    }
  }

  @Test func `loads the objects that other subgraphs refer to, as the caller sees them`() async throws {
    try await TestServer.run(configure: { $0.isSubgraph = true }) { server in
      let ada = try await Household(on: server)
      let bob = try await Household(on: server, email: "bob@example.com", name: "Bob")
      let mia = try await ada.addChild("Mia")
      let chore = try await ada.addChore("Sweep")
      let removed = try await ada.addChild("Tom")
      _ = try await ada.parent.perform(Documents.removeChild, ["id": .string(removed)])
      func reference(_ type: String, to id: String) -> Value { ["__typename": .string(type), "id": .string(id)] }
      let references: [Value] = [
        reference("Chore", to: chore), reference("Child", to: mia), reference("Family", to: ada.familyID),
        // Of another type, not visible, removed, unknown, incomplete.
        reference("Item", to: chore), reference("Family", to: bob.familyID), reference("Child", to: removed),
        reference("Chore", to: "unknown"), ["__typename": "Chore"], "Chore", reference("Chore", to: chore),
      ]
      let answer = try await ada.parent.ask(Self.entities, ["representations": .array(references)])
      #expect(answer["errors"] == nil, "\(answer)")
      let sweep: Value = ["__typename": "Chore", "name": "Sweep"]
      #expect(
        answer["data._entities"]
          == [
            sweep, ["__typename": "Child", "name": "Mia"], ["__typename": "Family", "id": .string(ada.familyID)],
            nil, nil, nil, nil, nil, nil, sweep,
          ]
      )
      let anonymous = try await server.visitor.ask(Self.entities, ["representations": .array(references)])
      #expect(anonymous["errors.0.extensions.code"] == "UNAUTHENTICATED")
      let many = Value.array(Array(repeating: reference("Chore", to: chore), count: 101))
      let tooMany = try await ada.parent.ask(Self.entities, ["representations": many])
      #expect(tooMany["errors.0.extensions.code"] == "BAD_USER_INPUT")
    }
  }

  @Test(.enabled(if: PythonScript.has("ariadne"), "Scripts/test installs the Python packages."))
  func `is composed with another subgraph, whose gateway loads the entities of both`() async throws {
    try await TestServer.run(configure: { $0.isSubgraph = true }) { server in
      let ada = try await Household(on: server)
      let bob = try await Household(on: server, email: "bob@example.com", name: "Bob")
      let outcome = try await PythonScript.run(
        "Federation/gateway.py",
        "http://127.0.0.1:\(server.port)/graphql",
        try #require(ada.parent.token),
        try await ada.addChore("Sweep"),
        try await ada.addChild("Mia"),
        try await bob.addChore("Dust")
      )
      #expect(outcome == .ok)
    }
  }

  @Test func `hides its schema where introspection is only for signed-in callers`() async throws {
    try await TestServer.run(configure: {
      $0.isSubgraph = true
      $0.introspection = .signedIn
    }) { server in
      let anonymous = try await server.visitor.ask("{ _service { sdl } }")
      #expect(anonymous["errors.0.extensions.code"] == "UNAUTHENTICATED", "\(anonymous)")
      let ada = try await Household(on: server)
      #expect(try await ada.parent.ask("{ _service { sdl } }")["data._service.sdl"].string != nil)
    }
  }

  /// A gateway sends documents of its own.
  @Test func `cannot be limited to trusted documents`() throws {
    let subgraph = ["HEARTH_SUBGRAPH": "yes", "HEARTH_TRUSTED_DOCUMENTS": "documents"]
    let trusted = subgraph.merging(["HEARTH_ACCEPTED_DOCUMENTS": "trusted"]) { $1 }
    var configuration = Configuration()
    try ServerSetting.configure(&configuration, from: subgraph)
    configuration = Configuration()
    let error = #expect(throws: InvalidSetting.self) { try ServerSetting.configure(&configuration, from: trusted) }
    #expect(error?.message.hasPrefix("HEARTH_ACCEPTED_DOCUMENTS must be any, as HEARTH_SUBGRAPH is yes") == true)
  }

  @Test func `is not served unless it is set`() async throws {
    try await TestServer.run { server in
      let answer = try await server.visitor.post("{ _service { sdl } }")
      #expect(try Value(answer.body)["errors.0.extensions.code"] == "GRAPHQL_VALIDATION_FAILED")
    }
  }
}
