import Foundation
import TestSupport
import Testing

/// The journeys that are live, with clients that others have written: `Tests/Live/journeys.py`.
@Suite(
  "Live journeys with independent clients",
  .enabled(if: PythonScript.has("aiohttp", "gql", "websockets")),
  .timeLimit(.minutes(20))
)
struct LiveJourneyTests {
  @Test(arguments: ["A6", "A16", "D6", "D12", "E3"])
  func `over WebSocket with gql and websockets, and over server-sent events`(journey: String) async throws {
    let directory = try TemporaryDirectory()
    let server = try Program.serve(directory)
    let port = try await server.port()
    for client in ["gql", "websockets", "sse"] {
      let outcome = try await PythonScript.run("Live/journeys.py", "\(port)", journey, client)
      #expect(outcome == .ok, "\(client)")
    }
    server.signal(SIGTERM)
    _ = try await server.result()
  }
}
