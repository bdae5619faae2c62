import TestSupport
import Testing

/// The clients that others have written.
@Suite("Independent clients")
struct ClientTests {
  @Test(.enabled(if: PythonScript.has("gql", "websockets")))
  func `gql and websockets are served`() async throws {
    try await NewsServer.run { server in
      let outcome = try await PythonScript.run("Live/graphql_client.py", "\(server.port)")
      #expect(outcome == .ok)
      await server.waitForSubscriptions(0)
      #expect(await server.sessionCount() == 0)
    }
  }
}
