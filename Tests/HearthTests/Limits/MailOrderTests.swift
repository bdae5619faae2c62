import Storage
import TestSupport
import Testing

@testable import Hearth

@Suite("The order in which mail is sent")
struct MailOrderTests {
  private static let now: Int64 = 1_795_248_000_000

  /// A queue without a server: nothing is sent, so that the order is seen.
  private static func run(_ body: (Database, MailQueue) async throws -> Void) async throws {
    let directory = try TemporaryDirectory()
    let database = try Database(path: DataDirectory.databasePath(in: directory.path), migrations: Migration.all)
    try await body(database, MailQueue(laneKey: []))
    await database.close()
  }

  private static func person(_ number: Int64) -> GlobalID { GlobalID(rawValue: number << 6 | 3) }

  private static func invitation(
    _ subject: Int64,
    of sender: Int64,
    from network: String?,
    _ queue: MailQueue,
    _ transaction: WriteTransaction
  ) throws {
    try queue.append(
      .contactInvitation,
      person: person(sender),
      subject: GlobalID(rawValue: subject),
      lane: queue.lane(network: network.flatMap(ClientNetwork.init), sender: .person(person(sender))),
      in: DatedWrite(at: Timestamp(now), in: transaction)
    )
  }

  private static func takeAll(_ database: Database, at moment: Int64 = now) async throws -> [Int64] {
    try await database.write { transaction in
      var taken: [Int64] = []
      while let mail = try QueuedMail.take(at: moment, in: transaction) {
        taken.append(mail.subject?.rawValue ?? 0)
        // As if it could not be sent.
        try mail.retry(after: moment, in: transaction)
      }
      return taken
    }
  }

  @Test func `M1: a mail to reset a password goes before 22,000 invitations`() async throws {
    try await Self.run { database, queue in
      let kinds = try await database.write { transaction in
        for number in 0..<22_000 {
          try Self.invitation(Int64(number), of: Int64(number % 44), from: "203.0.113.7", queue, transaction)
        }
        let address = try #require(EmailAddress("ada@example.com"))
        let lane = queue.lane(network: ClientNetwork("192.0.2.1"), sender: .mailbox(address.mailboxKey))
        let write = DatedWrite(at: Timestamp(Self.now), in: transaction)
        try queue.append(.passwordReset, address: address, lane: lane, in: write)
        return [try QueuedMail.take(at: Self.now, in: transaction), try QueuedMail.take(at: Self.now, in: transaction)]
          .map { $0?.kind }
      }
      #expect(kinds == [.passwordReset, .contactInvitation])
    }
  }

  @Test func `an invitation waits for one of each other network, and one of each sender of its own`() async throws {
    try await Self.run { database, queue in
      try await database.write { transaction in
        for number in 0..<100 { try Self.invitation(Int64(number), of: 1, from: "203.0.113.7", queue, transaction) }
        for number in 0..<100 {
          try Self.invitation(Int64(200 + number), of: 2, from: "203.0.113.7", queue, transaction)
        }
        try Self.invitation(1_000, of: 3, from: "203.0.113.7", queue, transaction)
        try Self.invitation(1_001, of: 4, from: "192.0.2.1", queue, transaction)
        try Self.invitation(1_002, of: 4, from: "192.0.2.1", queue, transaction)
        try Self.invitation(1_003, of: 5, from: nil, queue, transaction)
      }
      let order = try await Self.takeAll(database)
      #expect(order.prefix(8) == [0, 1_001, 1_003, 200, 1_002, 1_000, 1, 201])
      #expect(order.count == 204)
      #expect(Set(order).count == 204)
      // Each sender's own stay in their order.
      #expect(order.filter { $0 < 100 } == Array(0..<100))
    }
  }

  @Test func `a network's and a sender's mails are in the same lanes in all processes, and only there`() {
    let (one, other) = (MailQueue(laneKey: [1, 2, 3]), MailQueue(laneKey: [1, 2, 3]))
    let foreign = MailQueue(laneKey: [1, 2, 4])
    let senders = [LimitedSubject.person(Self.person(1)), .person(Self.person(2)), .mailbox("ada@example.com")]
    var numbers: [Int64] = []
    for text in ["192.0.2.1", "203.0.113.7", "2001:db8:7:1::1"] {
      let network = ClientNetwork(text)
      for sender in senders {
        let lane = one.lane(network: network, sender: sender)
        #expect(other.lane(network: network, sender: sender) == lane)
        let strange = foreign.lane(network: network, sender: sender)
        #expect(strange.network != lane.network && strange.sender != lane.sender)
        numbers += [lane.network, lane.sender]
      }
    }
    #expect(Set(numbers).count == 3 + senders.count)
    // The networks of a site share a lane.
    let neighbour = one.lane(network: ClientNetwork("2001:db8:7:2::1"), sender: senders[0])
    #expect(neighbour == one.lane(network: ClientNetwork("2001:db8:7:1::1"), sender: senders[0]))
    // Without networks, each sender has one of its own.
    let alone = senders.map { one.lane(network: nil, sender: $0) }
    #expect(alone.allSatisfy { $0.network == $0.sender })
    #expect(Set(alone.map(\.network)).count == senders.count)
  }

  @Test func `what could not be sent is tried again in the same order, invitations last`() async throws {
    try await Self.run { database, queue in
      try await database.write { transaction in
        for number in 0..<300 { try Self.invitation(Int64(number), of: 1, from: "203.0.113.7", queue, transaction) }
        let address = try #require(EmailAddress("ada@example.com"))
        let lane = queue.lane(network: nil, sender: .mailbox(address.mailboxKey))
        try queue.append(
          .passwordReset,
          address: address,
          subject: Self.person(9),
          lane: lane,
          in: DatedWrite(at: Timestamp(Self.now), in: transaction)
        )
      }
      #expect(try await Self.takeAll(database).count == 301)
      #expect(try await Self.takeAll(database) == [])
      let due = try await database.write { transaction in try QueuedMail.nextDue(after: Self.now, in: transaction) }
      #expect(due == Self.now + 60_000)
      // Mail of another sender does not wait behind failed mail.
      try await database.write { transaction in
        try Self.invitation(1_000, of: 2, from: "192.0.2.1", queue, transaction)
      }
      let order = try await Self.takeAll(database, at: Self.now + 60_000)
      #expect(order.first == Self.person(9).rawValue)
      #expect(order.prefix(3).contains(1_000))
      #expect(order.count == 302)
    }
  }

  @Test func `one person has at most 500 invitations waiting`() async throws {
    try await Self.run { database, queue in
      await #expect(throws: FieldErrorThrown.self) {
        try await database.write { transaction in
          for number in 0...500 {
            do {
              try InvitationLimits.requireRoom(for: Self.person(1), from: transaction.reader)
            } catch {
              #expect(number == 500)
              try InvitationLimits.requireRoom(for: Self.person(2), from: transaction.reader)
              throw FieldErrorThrown()
            }
            try Self.invitation(Int64(number), of: 1, from: nil, queue, transaction)
          }
        }
      }
    }
  }

  private struct FieldErrorThrown: Error {}

  @Test func `mail that waited before the upgrade is sent after it, invitations last`() async throws {
    let directory = try TemporaryDirectory()
    let path = DataDirectory.databasePath(in: directory.path)
    let number = Migration.mailLanes.number
    let old = try Database(path: path, migrations: Migration.all.filter { $0.number < number })
    try await old.write { transaction in
      let insert = StatementText(
        """
        INSERT INTO mail (kind, person_id, subject_id, created_at, due_at) \
        VALUES (5, 67, 1, 0, 0), (1, 67, 2, 0, 5), (4, 131, 3, 0, 0), (2, NULL, 4, 0, NULL), (3, 67, 5, 0, 6)
        """
      )
      try transaction.statement(insert).run()
    }
    await old.close()
    let new = try Database(path: path, migrations: Migration.all)
    #expect(try await Self.takeAll(new) == [2, 5, 1, 3])
    await new.close()
  }
}
