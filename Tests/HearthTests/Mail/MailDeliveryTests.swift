import Storage
import TestSupport
import Testing

@testable import Hearth

@Suite("The delivery of mail", .timeLimit(.minutes(5)))
struct MailDeliveryTests {
  /// A destination that is down.
  private final class Unreachable: MailTransport {
    let attempts = Counter()

    func send(_ message: MailMessage, sequence: Int64) throws(MailFailure) {
      attempts.increment()
      throw MailFailure(description: "down")
    }

    func stop() {}
  }

  /// Queues a mail to that destination, and starts the delivery.
  private func withMail(
    at clock: TestClock,
    _ body: (MailDelivery, Unreachable) async throws -> Void
  ) async throws {
    let directory = try TemporaryDirectory()
    let database = try Database(path: DataDirectory.databasePath(in: directory.path), migrations: Migration.all)
    let (queue, transport) = (MailQueue(laneKey: []), Unreachable())
    let now = clock.clock.now()
    try await database.write { transaction in
      let lane = MailLane(network: 1, sender: 1)
      try queue.append(.childAdded, lane: lane, in: DatedWrite(at: Timestamp(now), in: transaction))
    }
    let delivery = try MailDelivery(
      queue,
      in: WorkEnvironment(leases: Leases(), database: database, clock: clock.clock, log: TestServer.silentLog),
      transport: transport
    ) { mail, write in
      MailMessage(
        identifier: "\(mail.id)",
        date: write.now.milliseconds,
        from: Mailbox(name: nil, address: "h@localhost"),
        to: Mailbox(name: nil, address: "a@localhost"),
        content: MailContent(subject: "", paragraphs: [])
      )
    }
    try await body(delivery, transport)
    await delivery.stop()
    await database.close()
  }

  @Test func `a mail is tried again by itself when its time has come, by the server's clock`() async throws {
    let clock = TestClock()
    try await withMail(at: clock) { delivery, transport in
      for (attempts, minutes) in [(1, 1), (2, 2), (3, 4)] as [(Int, Int64)] {
        await clock.whenSomebodySleeps(until: clock.clock.now() + minutes * 60_000)
        #expect(transport.attempts.count == attempts)
        clock.advance(seconds: minutes * 60 - 1)
        await delivery.deliver()
        #expect(transport.attempts.count == attempts)
        clock.advance(seconds: 1)
      }
      await transport.attempts.wait(for: 4)
    }
  }

  @Test func `a mail that was tried while the clock was ahead is tried again when the clock is right`() async throws {
    let clock = TestClock()
    clock.advance(days: 20)
    try await withMail(at: clock) { delivery, transport in
      await delivery.deliver()
      #expect(transport.attempts.count == 1)
      clock.advance(days: -20)
      // It finds the time of the next attempt.
      await delivery.deliver()
      clock.advance(seconds: 1)
      await delivery.deliver()
      #expect(transport.attempts.count == 2)
    }
  }
}
