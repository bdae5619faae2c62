import Foundation
import TestSupport
import Testing

@testable import Hearth

@Suite("Read-only mode", .timeLimit(.minutes(20)))
struct ReadOnlyTests {
  private static let addChore = #"mutation { addChore(input: { name: "Sweep" }) { chore { id } } }"#

  private func turn(_ mode: String, on server: TestServer) async throws -> Program.Result {
    try await Program.run("read-only", mode, "--data", server.directory.path)
  }

  @Test func `mutations get READ_ONLY, and queries and subscriptions go on`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let live = try await LiveSocket.open(server.port)
      try await live.initialize(ada.parent.token)
      try await live.subscribe("1", "subscription { familyChanged { __typename } }")
      #expect(try await server.http.get("/ready").text == "ready\n")
      #expect(try await turn("on", on: server).output == "The server is read-only.\n")

      let rejected = try await ada.parent.post(Self.addChore)
      #expect(rejected.codes == ["READ_ONLY"])
      let message = "The server is read-only at the moment: queries work, and nothing can be changed. Try again later."
      #expect(rejected.json["errors.0.message"] == .string(message))
      for (accept, status) in [("application/graphql-response+json", 503), ("application/json", 200)] {
        let signOut = #"{"query":"mutation { signOut { userErrors { code } } }"}"#
        let answer = try await server.http.post(signOut, accept: accept)
        #expect(answer.codes == ["READ_ONLY"] && answer.status == status, "\(answer.status) \(answer.text)")
      }
      let input = A02SignInTests.input("ada@example.com", Household.password)
      #expect(try await server.visitor.post(Documents.signIn, input).codes == ["READ_ONLY"])
      try await live.subscribe("2", "mutation { addItem(input: { name: \\\"Tent\\\" }) { item { id } } }")
      let frame = try await live.receive()
      #expect("\(frame)".contains("READ_ONLY"), "\(frame)")
      let family = try await ada.parent.ask("{ family { chores { totalCount } items { totalCount } } }")["data.family"]
      #expect(family["chores.totalCount"] == 0 && family["items.totalCount"] == 0)
      let ready = try await server.http.get("/ready")
      #expect(ready.status == 200 && ready.text == "ready, read-only\n")
      #expect(try await server.http.get("/metrics").text.contains("\nhearth_read_only 1\n"))
      let status = try await Program.run("status", "--data", server.directory.path).output
      #expect(status.firstMatch(of: /(?m)^Health: +ready, read-only$/) != nil, "\(status)")

      #expect(try await turn("off", on: server).output == "The server accepts mutations.\n")
      _ = try await ada.addChore("Sweep")
      let event = try await live.receive()
      #expect("\(event)".contains("ChoreChanged"), "\(event)")
    }
  }

  @Test func `HEARTH_READ_ONLY sets it for the start, and the change is logged`() async throws {
    let directory = try TemporaryDirectory()
    let server = try Program.serve(directory, environment: ["HEARTH_READ_ONLY": "true"])
    let http = HTTPClient(port: try await server.port())
    #expect(try await http.get("/ready").text == "ready, read-only\n")
    #expect(try await Program.run("read-only", "off", "--data", directory.path).status == 0)
    _ = try await Household(port: http.port)
    server.signal(SIGTERM)
    let result = try await server.result()
    #expect(result.status == 0 && result.errors.contains("An operator has turned the read-only mode off."))
  }

  @Test(arguments: [("yes", true), ("true", true), ("no", false), ("false", false)])
  func `this setting and other flags are yes or no, and true and false mean the same`(text: String, isOn: Bool) throws {
    var configuration = Configuration()
    configuration.isReadOnly = !isOn
    configuration.isSubgraph = !isOn
    try ServerSetting.configure(&configuration, from: ["HEARTH_READ_ONLY": text, "HEARTH_SUBGRAPH": text])
    #expect(configuration.isReadOnly == isOn && configuration.isSubgraph == isOn)
  }
}
