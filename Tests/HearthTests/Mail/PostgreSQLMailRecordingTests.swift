import Foundation
import Storage
import Synchronization
import TestSupport
import Testing

@testable import Hearth

/// What is sent once although the database fails, or another process sends too.
@Suite(
  "The record of sent mails on PostgreSQL",
  .enabled(if: PostgreSQLCluster.isInstalled, "Scripts/install-postgresql installs PostgreSQL."),
  .timeLimit(.minutes(5))
)
struct PostgreSQLMailRecordingTests {
  /// Waits within each mail until the test lets it go on.
  private final class Outbox: MailTransport {
    let sent = Mutex<[Int64]>([])
    let begun = Counter()
    private let mayEnd = DispatchSemaphore(value: 0)

    func send(_ message: MailMessage, sequence: Int64) throws(MailFailure) {
      begun.increment()
      mayEnd.wait()
      sent.withLock { $0.append(sequence) }
    }

    func goOn(_ count: Int = 1) { for _ in 0..<count { mayEnd.signal() } }

    func stop() { goOn(100) }
  }

  @Sendable private static func message(_ identifier: String, at now: Int64) -> MailMessage {
    MailMessage(
      identifier: identifier,
      date: now,
      from: Mailbox(name: nil, address: "h@localhost"),
      to: Mailbox(name: nil, address: "a@localhost"),
      content: MailContent(subject: "", paragraphs: [])
    )
  }

  private static func delivery(_ server: TestServer, _ outbox: Outbox) throws -> MailDelivery {
    try MailDelivery(
      MailQueue(laneKey: []),
      in: WorkEnvironment(
        leases: Leases(),
        database: server.services.database,
        clock: server.clock.clock,
        log: TestServer.silentLog
      ),
      transport: outbox
    ) { mail, write in message("\(mail.id)", at: write.now.milliseconds) }
  }

  /// Queues a mail at a server that sends none itself, and returns its key.
  private static func queueMail(_ server: TestServer) async throws -> Int64 {
    await server.services.heartbeat?.abandon()
    let now = server.clock.clock.now()
    try await server.services.database.write { transaction in
      try MailQueue(laneKey: []).append(
        .childAdded,
        lane: MailLane(network: 1, sender: 1),
        in: DatedWrite(at: Timestamp(now), in: transaction)
      )
    }
    return try server.rows("SELECT max(id) FROM mail", columns: 1)[0][0]
  }

  @Test func `a mail whose delivery cannot be recorded is recorded later, and not sent again`() async throws {
    let configure: (inout Configuration) -> Void = { configuration in
      configuration.databaseLimits.postgreSQL.connectionTimeout = .seconds(2)
      configuration.databaseLimits.postgreSQL.recoveryTime = .zero
    }
    try await TestServer.run(database: .postgresql, configure: configure) { server in
      let mail = try await Self.queueMail(server)
      let outbox = Outbox()
      let delivery = try Self.delivery(server, outbox)
      await outbox.begun.wait(for: 1)
      try await server.closeDatabase()
      outbox.goOn(100)
      // The claim ends during the outage.
      await delivery.deliver()
      server.clock.advance(seconds: 600)
      await delivery.deliver()
      try await server.openDatabase()
      let sentAt = "SELECT sent_at FROM mail WHERE id = \(mail) AND sent_at IS NOT NULL AND due_at IS NULL"
      repeat { await delivery.deliver() } while try server.rows(sentAt, columns: 1).isEmpty
      #expect(outbox.sent.withLock { $0 } == [mail])
      // When it was sent, and not when it was recorded.
      #expect(try server.rows(sentAt, columns: 1) == [[server.clock.clock.now() - 600_000]])
      await delivery.stop()
    }
  }

  @Test func `a process whose claim on a mail has ended does not send it`() async throws {
    try await TestServer.run(database: .postgresql) { server in
      let (slow, fast) = (Outbox(), Outbox())
      fast.goOn(100)
      let mail = try await Self.queueMail(server)
      let slowDelivery: MailDelivery
      let test: Task<Void, any Error>
      (slowDelivery, test) = try await server.holdingWrites {
        let delivery = try Self.delivery(server, slow)
        // An operator's test keeps the connection to the mail server busy.
        let now = server.clock.clock.now()
        let test = Task { try await delivery.sendTest(Self.message("test", at: now)) }
        await slow.begun.wait(for: 1)
        return (delivery, test)
      }
      let attempts = "SELECT attempts FROM mail WHERE id = \(mail)"
      while try server.rows(attempts, columns: 1) != [[1]] { await Task.yield() }
      server.clock.advance(seconds: 180)
      let fastDelivery = try Self.delivery(server, fast)
      await fastDelivery.deliver()
      #expect(fast.sent.withLock { $0 } == [mail])
      slow.goOn(100)
      try await test.value
      await slowDelivery.deliver()
      #expect(slow.sent.withLock { $0 } == [0])
      #expect(try server.rows("SELECT count(due_at), count(sent_at) FROM mail", columns: 2) == [[0, 1]])
      await slowDelivery.stop()
      await fastDelivery.stop()
    }
  }
}
