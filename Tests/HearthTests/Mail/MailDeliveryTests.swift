import Storage
import TestSupport
import Testing

@testable import Hearth

@Suite("The delivery of mail", .timeLimit(.minutes(5)))
struct MailDeliveryTests {
  /// A destination that is down.
  private final class Unreachable: MailTransport {
    let attempts = Counter()

    func send(_ message: Message, sequence: Int64) throws(MailFailure) {
      attempts.increment()
      throw MailFailure(description: "down")
    }

    func stop() {}
  }

  @Test func `a mail is tried again by itself when its time has come, by the server's clock`() async throws {
    let directory = try TemporaryDirectory()
    let database = try Database(path: DataDirectory.databasePath(in: directory.path), migrations: Migration.all)
    let (queue, transport, clock) = (MailQueue(laneKey: []), Unreachable(), TestClock())
    let delivery = try MailDelivery(
      queue,
      leases: Leases(),
      database: database,
      clock: clock.clock,
      log: TestServer.silentLog,
      transport: transport
    ) { mail, now, _ in
      Message(
        identifier: "\(mail.id)",
        date: now,
        from: Mailbox(name: nil, address: "h@localhost"),
        to: Mailbox(name: nil, address: "a@localhost"),
        letter: Letter(subject: "", paragraphs: [])
      )
    }
    let now = clock.clock.now()
    try await database.write { transaction in
      let lane = MailLane(network: 1, sender: 1)
      try queue.append(.childAdded, in: lane, at: now, transaction: transaction)
    }
    for (attempts, minutes) in [(1, 1), (2, 2), (3, 4)] as [(Int, Int64)] {
      await clock.whenSomebodySleeps(until: clock.clock.now() + minutes * 60_000)
      #expect(transport.attempts.count == attempts)
      clock.advance(seconds: minutes * 60 - 1)
      await delivery.deliver()
      #expect(transport.attempts.count == attempts)
      clock.advance(seconds: 1)
    }
    await transport.attempts.wait(for: 4)
    await delivery.stop()
    await database.close()
  }
}
