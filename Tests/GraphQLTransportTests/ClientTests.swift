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

  /// Over connections that break: no event is missed and none comes twice.
  @Test(.timeLimit(.minutes(20))) func `the Swift client reconnects and resumes`() async throws {
    let check = try await ExamplePackage.swiftClient.executable()
    try await NewsServer.run { server in
      let outcome = try await PythonScript.run("Live/swift_client.py", check, "\(server.port)")
      #expect(outcome == .ok)
      await server.waitForSubscriptions(0)
    }
  }
}
