import TestSupport
import Testing

/// A server that ends sessions, as no real one can at the moments of these tests.
@Suite("Sessions of generated clients", .timeLimit(.minutes(20)))
struct ClientSessionTests {
  @Test func `the Swift client reports an ended session, and follows only the member who is signed in`() async throws {
    let check = try await ExamplePackage.swiftClient.executable()
    let outcome = try await PythonScript.run("Live/client_sessions.py", check)
    #expect(outcome == .ok)
  }
}
