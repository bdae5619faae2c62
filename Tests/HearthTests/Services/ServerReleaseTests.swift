import EventLoop
import Testing

@testable import Hearth

@Suite("Stopped servers", .timeLimit(.minutes(5)))
struct ServerReleaseTests {
  /// Each loop has a descriptor as long as it exists.
  @Test func `a server that was shut down is released with its loops`() async throws {
    weak var loop: EventLoop?
    weak var feed: Feed?
    try await TestServer.run(loops: 1) { server in
      let ada = try await Household(on: server)
      let listener = try await Listener.open(
        server.port,
        ada.parent,
        "subscription { familyChanged { __typename } }"
      ).listening()
      _ = try await ada.parent.perform(Documents.addItem, ["input": ["name": "Milk"]])
      _ = try await listener.next()
      (loop, feed) = (server.loops[0], server.services.feed)
      #expect(loop != nil && feed != nil)
    }
    // The last tasks of the loop may still be ending.
    while loop != nil || feed != nil { await Task.yield() }
  }
}
