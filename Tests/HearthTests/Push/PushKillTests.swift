import Foundation
import Glibc
import TestSupport
import Testing

@testable import Hearth

@Suite(
  "A server that is killed while it sends notifications",
  .enabled(if: PushServiceProcess.isAvailable, "Scripts/test installs the Python packages."),
  .timeLimit(.minutes(5))
)
struct PushKillTests {
  private static let rounds = 3
  private static let choresPerRound = 8

  @Test func `sends each at least once, and again with the same id and content`() async throws {
    let directory = try TemporaryDirectory()
    let service = try await PushServiceProcess()
    var (server, attempts) = (try Self.serve(directory, service), 0)
    let ada = try await Household(port: server.port())
    let mia = try await ada.addChild("Mia", username: "mia")
    let child = try await ada.signIn("mia")
    for round in 0..<Self.rounds {
      // Requests to the service wait until the server has been killed.
      // Then they are answered, and the answers are lost.
      try await service.become("slow")
      let port = try await server.port()
      for number in 0..<Self.choresPerRound {
        let current = Household(ada, parent: Client(port: port, token: ada.parent.token))
        let chore = try await current.addChore("Chore \(round)-\(number)", for: [mia])
        let outcome = try await Client(port: port, token: child.token).perform(
          Documents.finishChore,
          ["id": .string(chore)]
        )
        try #require(outcome.userErrors == [], "\(outcome)")
      }
      attempts = try await service.attempts(attempts + 1)
      server.signal(SIGKILL)
      #expect(try await server.result().wasKilled)
      try await service.become("up")
      server = try Self.serve(directory, service)
      _ = try await server.port()
    }
    let count = Self.rounds * Self.choresPerRound
    var messages: [Value] = []
    // What was being sent is due after half a minute, or when an operator says so.
    repeat {
      let retry = try await Program(["push", "retry", "--data", directory.path]).result()
      try #require(retry.status == 0, "\(retry.errors)")
      messages = try await service.messages(messages.count + 1)
    } while Set(messages.map { $0["id"].string }).count < count
    let byID = Dictionary(grouping: messages) { $0["id"].string ?? "" }
    #expect(byID.count == count && messages.count > count)
    for (id, repeated) in byID { #expect(Set(repeated.map(\.["payload"].text)).count == 1, "\(id)") }
    let chores = Set(messages.compactMap { $0["payload.data.message"].string })
    #expect(chores.count == count)
    server.signal(SIGTERM)
    #expect(try await server.result().status == 0)
  }

  private static func serve(_ directory: TemporaryDirectory, _ service: PushServiceProcess) throws -> Program {
    try Program.serve(directory, environment: service.webhookEnvironment)
  }
}
