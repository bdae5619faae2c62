import Foundation
import Logging
import Synchronization
import TestSupport
import Testing

@testable import Hearth
@testable import Storage

/// Timed work, sign-ins and limits of several servers on one database.
@Suite(
  "What several servers do for each other",
  .enabled(if: PostgreSQLCluster.isInstalled, "Scripts/install-postgresql installs PostgreSQL."),
  .timeLimit(.minutes(10))
)
struct PostgreSQLSharedWorkTests {
  private static let due = "subscription { reminderDue { id } }"
  private static let list = "{ family { reminders(status: [DUE], first: 50) { nodes { id } } } }"

  /// The server that has a lease, and the other one.
  private func holder(of lease: String, _ servers: [TestServer]) throws -> (holder: TestServer, other: TestServer) {
    let holders = servers.filter { $0.services.leases.holds(lease) }
    #expect(holders.count == 1)
    let holder = try #require(holders.first)
    return (holder, try #require(servers.first { $0.port != holder.port }))
  }

  // MARK: Reminders

  @Test func `reminders that become due while the process with the lease is killed are neither lost nor doubled`()
    async throws
  {
    try await TestServer.runSeveral(2) { servers in
      let ada = try await Household(on: servers[0])
      var reminders: Set<String> = []
      for number in 0..<20 {
        let chore = try await ada.addChore("Chore \(number)")
        reminders.insert(try await ada.setReminder(of: chore, at: "2026-11-21T08:00:\(number + 10)Z"))
      }
      let (holder, other) = try holder(of: "reminders", servers)
      let devices = [
        try await Listener.open(holder.port, ada.parent.at(holder), Self.due).listening(),
        try await Listener.open(other.port, ada.parent.at(other), Self.due).listening(),
      ]
      holder.clock.advance(seconds: 15)
      // The first ones are those of the process that is killed.
      var seen: Set<String> = []
      for _ in 0..<6 { seen.insert(try #require(try await devices[0].next()["data.reminderDue.id"].string)) }
      await holder.services.heartbeat?.abandon()
      holder.clock.advance(seconds: 60)
      let beginning = ContinuousClock.now
      while seen.count < reminders.count {
        let event = try await devices[1].next()
        seen.insert(try #require(event["data.reminderDue.id"].string))
      }
      let time = ContinuousClock.now - beginning
      // Four seconds, and more on a busy machine.
      #expect(seen == reminders && time < .seconds(20), "\(time)")
      #expect(other.services.leases.holds("reminders"))
      let rows = try other.rows(
        "SELECT count(*), count(DISTINCT due_position) FROM reminder WHERE status = 1",
        columns: 2
      )
      #expect(rows == [[20, 20]])
    }
  }

  @Test func `a reminder that is set at one server becomes due by the other one`() async throws {
    try await TestServer.runSeveral(2) { servers in
      let ada = try await Household(on: servers[0])
      let (holder, other) = try holder(of: "reminders", servers)
      let chore = try await ada.addChore("Chore")
      let set = try await ada.parent.at(other).perform(
        Documents.setReminder,
        ["input": ["choreId": .string(chore), "remindAt": "2026-11-21T08:00:30Z"]]
      )
      #expect(set.userErrors == [])
      let device = try await Listener.open(holder.port, ada.parent.at(holder), Self.due).listening()
      holder.clock.advance(seconds: 60)
      #expect(try await device.next()["data.reminderDue.id"] == set["reminder.id"])
    }
  }

  /// The leases save work, and the transactions make it right. Both servers have begun to mark the same reminders, and
  /// wait for the rows, which a third one has locked.
  @Test func `two processes that ignore the leases make each reminder due once`() async throws {
    try await TestServer.runSeveral(3) { servers in
      let ada = try await Household(on: servers[0])
      let pair = servers.prefix(2)
      for number in 0..<20 {
        let chore = try await ada.addChore("Chore \(number)")
        _ = try await ada.setReminder(of: chore, at: "2026-11-21T08:00:10Z")
      }
      for server in servers { await server.services.heartbeat?.abandon() }
      var devices: [Listener] = []
      for server in pair {
        devices.append(try await Listener.open(server.port, ada.parent.at(server), Self.due).listening())
      }
      let schedulers = try pair.map { try ReminderScheduler.service.make(Self.features(of: $0)) }
      defer { for scheduler in schedulers { scheduler.stop() } }
      let before = pair.map(\.services.database.postgreSQLStatistics.conflicts)
      try await Self.lockingReminders(at: servers[2]) {
        servers[0].clock.advance(seconds: 60)
        for scheduler in schedulers { scheduler.start() }
        let waiting =
          "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
        while try servers[2].rows(waiting, columns: 1) != [[2]] { await Task.yield() }
      }
      for device in devices {
        var seen: Set<String> = []
        for _ in 0..<20 { seen.insert(try #require(try await device.next()["data.reminderDue.id"].string)) }
        #expect(seen.count == 20)
        // Nothing comes twice.
        _ = try await device.listening()
      }
      // The parent is notified once of each.
      let rows = try servers[0].rows(
        """
        SELECT count(*), count(DISTINCT n.subject_id), count(DISTINCT r.due_position) FROM notification AS n \
        JOIN reminder AS r ON r.id = n.subject_id
        """,
        columns: 3
      )
      #expect(rows == [[20, 20, 20]])
      let conflicts = zip(pair, before).map { $0.services.database.postgreSQLStatistics.conflicts - $1 }
      #expect(conflicts.reduce(0, +) > 0, "\(conflicts)")
    }
  }

  /// Runs `body` while a write of a server has locked all reminders.
  private static func lockingReminders(at server: TestServer, _ body: () async throws -> Void) async throws {
    let (areLocked, mayEnd) = (Gate(), DispatchSemaphore(value: 0))
    let locking = Task { [database = server.services.database] in
      try await database.write { transaction in
        try transaction.statement(WrittenOnce.sql("SELECT id FROM reminder FOR UPDATE")).forEachRow { _ in }
        areLocked.open()
        guard mayEnd.wait(timeout: .now() + 60) == .success else { throw TestServer.HeldTooLong() }
      }
    }
    await areLocked.pass()
    do {
      defer { mayEnd.signal() }
      try await body()
    }
    try await locking.value
  }

  /// The features' services of a server, as if it had all leases.
  private static func features(of server: TestServer) throws -> FeatureServices {
    let services = server.services
    var core = services.core
    core.work = WorkEnvironment(
      leases: Leases(),
      database: services.database,
      clock: services.clock,
      log: services.log
    )
    return try FeatureServices(core: core)
  }

  // MARK: Mails

  private final class Outbox: MailTransport {
    let sent = Mutex<[Int64]>([])
    private let count: Counter

    init(_ count: Counter) { self.count = count }

    func send(_ message: MailMessage, sequence: Int64) throws(MailFailure) {
      sent.withLock { $0.append(sequence) }
      count.increment()
    }

    func stop() {}
  }

  @Test func `two processes that ignore the leases send each mail once`() async throws {
    try await TestServer.runSeveral(2) { servers in
      let ada = try await Household(on: servers[0])
      for server in servers { await server.services.heartbeat?.abandon() }
      let person = try #require(servers[0].services.cipher.person(of: ada.personID))
      let (mails, now) = (40, servers[0].clock.clock.now())
      let before = try servers[0].rows("SELECT coalesce(max(id), 0) FROM mail", columns: 1)[0][0]
      for number in 0..<mails {
        try await servers[number % 2].services.database.write { transaction in
          try MailQueue(laneKey: []).append(
            .childAdded,
            person: person,
            lane: MailLane(network: Int64(number % 7), sender: Int64(number % 3)),
            in: DatedWrite(at: Timestamp(now), in: transaction)
          )
        }
      }
      let count = Counter()
      let outboxes = servers.map { _ in Outbox(count) }
      let deliveries = try zip(servers, outboxes).map { server, outbox in
        try MailDelivery(
          MailQueue(laneKey: []),
          in: WorkEnvironment(
            leases: Leases(),
            database: server.services.database,
            clock: server.clock.clock,
            log: TestServer.silentLog
          ),
          transport: outbox
        ) { mail, write in
          guard mail.id > before else { return nil }
          return MailMessage(
            identifier: "\(mail.id)",
            date: write.now.milliseconds,
            from: Mailbox(name: nil, address: "h@localhost"),
            to: Mailbox(name: nil, address: "a@localhost"),
            content: MailContent(subject: "", paragraphs: [])
          )
        }
      }
      await count.wait(for: mails)
      for delivery in deliveries { await delivery.deliver() }
      let sent = outboxes.map { outbox in outbox.sent.withLock { $0 } }
      #expect(sent[0].count + sent[1].count == mails && Set(sent[0] + sent[1]).count == mails, "\(sent)")
      let rows = try servers[0].rows("SELECT count(*) FROM mail WHERE id > \(before) AND sent_at IS NULL", columns: 1)
      #expect(rows == [[0]])
      for delivery in deliveries { await delivery.stop() }
    }
  }

  // MARK: Sessions and limits

  @Test func `tabs that use a refresh token at two servers at the same moment stay signed in`() async throws {
    try await TestServer.runSeveral(2) { servers in
      let ada = try await Household(on: servers[0])
      let tabs = try await servers[0].holdingWrites {
        try await servers[1].holdingWrites {
          let tabs = servers.map { server in
            Task { [visitor = server.visitor] in
              try await visitor.perform(Documents.refresh, ["token": .string(ada.refreshToken)])
            }
          }
          for server in servers { while server.services.database.waitingWrites < 1 { await Task.yield() } }
          return tabs
        }
      }
      var outcomes: [Outcome] = []
      for tab in tabs { outcomes.append(try await tab.value) }
      let next = Set(outcomes.compactMap { $0["credentials.refreshToken"].string })
      #expect(next.count == 1 && outcomes.allSatisfy { $0.userErrors.isEmpty }, "\(outcomes)")
      for (index, outcome) in outcomes.enumerated() {
        let app = servers[1 - index].visitor.with(token: outcome["credentials.accessToken"].string)
        #expect(try await app.ask(Documents.whoAmI)["data.viewer.id"] == .string(ada.accountID))
      }
      // A reuse after the response counts as theft, at either.
      for server in servers {
        let later = try await server.visitor.perform(Documents.refresh, ["token": .string(ada.refreshToken)])
        #expect(later.userErrors != [])
      }
      let app = servers[1].visitor.with(token: outcomes[0]["credentials.accessToken"].string)
      #expect(try await app.ask(Documents.whoAmI)["errors.0.extensions.code"] == "TOKEN_REVOKED")
    }
  }

  @Test func `wrong passwords at all servers count together`() async throws {
    try await TestServer.runSeveral(2) { servers in
      _ = try await Household(on: servers[0])
      let burst = try #require(LimitedAction.wrongPassword.limits.subject).burst
      var codes: [String] = []
      for number in 0...burst {
        let answer = try await servers[Int(number) % 2].visitor.ask(
          Documents.signIn,
          ["input": ["email": "ada@example.com", "password": "wrong wrong"]]
        )
        if let code = answer["errors.0.extensions.code"].string { codes.append(code) }
      }
      #expect(codes == ["RATE_LIMITED"])
    }
  }
}
