import Storage
import TestSupport
import Testing

@testable import Hearth

/// A family whose child finishes chores, of which its parent is notified.
struct PushStory {
  let server: TestServer
  let service: PushServiceProcess
  let ada: Household
  let mia: String
  let child: Client

  static func run(
    webhook: Bool = false,
    in directory: TemporaryDirectory? = nil,
    _ body: (PushStory) async throws -> Void
  ) async throws {
    let service = try await PushServiceProcess()
    try await TestServer.run(in: directory, configure: { service.configure(&$0, webhook: webhook) }) { server in
      try await body(PushStory(on: server, service))
    }
  }

  init(on server: TestServer, _ service: PushServiceProcess) async throws {
    self.server = server
    self.service = service
    ada = try await Household(on: server)
    mia = try await ada.addChild("Mia", username: "mia")
    child = try await ada.signIn("mia")
  }

  /// The child finishes a new chore, which notifies the parent.
  func finish(_ chore: String = "Feed the cat") async throws {
    let id = try await ada.addChore(chore, for: [mia])
    let outcome = try await child.perform(Documents.finishChore, ["id": .string(id)])
    try #require(outcome.userErrors == [], "\(outcome)")
  }

  /// Notifies the parent many times at once.
  func notify(_ count: Int) async throws {
    let cipher = server.services.cipher
    let person = try #require(cipher.key(of: ada.personID))
    let child = try #require(cipher.key(of: mia))
    let now = server.clock.clock.now()
    try await server.services.database.write { transaction in
      let write = DatedWrite(at: Timestamp(now), in: transaction)
      for _ in 0..<count {
        try Notifications.notify(person, kind: .choreFinishedNotification, by: child, in: write)
      }
    }
  }

  /// Gives the server the time until then, with an attempt every few minutes.
  func pass(minutes: Int64) async {
    for _ in 0..<(minutes / 5) {
      server.clock.advance(seconds: 300)
      await server.deliverPushes()
    }
  }

  /// The numbers of pushes that wait and that have failed, once what is being sent is recorded.
  func queued() async throws -> [Int64] {
    await server.deliverPushes()
    return try server.rows("SELECT count(due_at), count(failed_at) FROM push", columns: 2)[0]
  }
}
