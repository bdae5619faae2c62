import Foundation
import Storage
import Synchronization
import TestSupport
import Testing

@testable import Hearth

@Suite(
  "The record of sent notifications on PostgreSQL",
  .enabled(
    if: PushServiceProcess.isAvailable && PostgreSQLCluster.isInstalled,
    "Scripts/install-postgresql installs PostgreSQL, and Scripts/test the Python packages."
  ),
  .timeLimit(.minutes(5))
)
struct PostgreSQLPushRecordingTests {
  /// Waits within each push until the test lets it go on.
  private final class Sender: PushSender {
    let sent = Mutex<[Int64]>([])
    let begun = Counter()
    private let mayEnd = DispatchSemaphore(value: 0)
    let longestSending: Int64 = 10_000

    func send(_ message: PushMessage, to push: QueuedPush, at now: Int64) -> PushOutcome {
      begun.increment()
      mayEnd.wait()
      sent.withLock { $0.append(push.id) }
      return .sent
    }

    func goOn() { for _ in 0..<100 { mayEnd.signal() } }

    func stop() { goOn() }
  }

  @Test func `pushes whose delivery cannot be recorded are recorded later, and not sent again`() async throws {
    let service = try await PushServiceProcess()
    let configure: (inout Configuration) -> Void = { configuration in
      service.configure(&configuration)
      configuration.databaseLimits.postgreSQL.connectionTimeout = .seconds(2)
      configuration.databaseLimits.postgreSQL.recoveryTime = .zero
    }
    try await TestServer.run(database: .postgresql, configure: configure) { server in
      let story = try await PushStory(on: server, service)
      let token = String(repeating: "ab01", count: 16)
      #expect(try await story.ada.parent.register(["apple": ["token": .string(token)]]).userErrors == [])
      await server.services.heartbeat?.abandon()
      try await story.notify(3)
      let sender = Sender()
      let delivery = try PushChannelDelivery(
        .apple,
        in: WorkEnvironment(
          leases: Leases(),
          database: server.services.database,
          clock: server.clock.clock,
          log: TestServer.silentLog
        ),
        signal: QueueSignal(),
        sender: sender
      ) { push, now, _ in
        .send(
          PushMessage(id: "\(push.id)", subject: "", type: "", text: "", createdAt: now, recipient: "")
        )
      }
      await sender.begun.wait(for: 3)
      try await server.closeDatabase()
      sender.goOn()
      // The claims end during the outage.
      await delivery.deliver()
      server.clock.advance(seconds: 600)
      await delivery.deliver()
      try await server.openDatabase()
      repeat { await delivery.deliver() } while try server.rows("SELECT count(*) FROM push", columns: 1) != [[0]]
      #expect(sender.sent.withLock { Set($0).count == 3 && $0.count == 3 })
      #expect(delivery.counts.sent == 3)
      await delivery.stop()
    }
  }
}
