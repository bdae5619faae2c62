import GraphQL
import Storage
import TestSupport
import Testing

@testable import Hearth

@Suite("Data of an earlier version")
struct MigrationTests {
  private static let fill = [
    StatementText("INSERT INTO family VALUES (65, 'Lovelace family', 'UTC', 0)"),
    StatementText(
      """
      INSERT INTO child (family_id, id, name, username, username_key, gender, theme, created_at) \
      VALUES (65, 132, 'Mia', 'mia', 'mia', 0, 0, 0)
      """
    ),
    StatementText(
      """
      INSERT INTO chore (family_id, id, name, priority, frequency, status, assignees, created_by, created_at, updated_at) \
      VALUES (65, 197, 'Feed the CAT', 5, 0, 0, x'8400000000000000', 67, 0, 0)
      """
    ),
    StatementText(
      """
      INSERT INTO chore (family_id, id, name, priority, frequency, status, assignees, created_by, created_at, updated_at) \
      VALUES (65, 198, 'Water the plants', 5, 2, 0, x'', 67, 0, 0)
      """
    ),
    StatementText(
      """
      INSERT INTO person (id, family_id, name, first_name, gender, theme, created_at) \
      VALUES (67, 65, 'Ada Lovelace', 'Ada', 0, 0, 0)
      """
    ),
    StatementText("INSERT INTO assignment VALUES (65, 132, 0, -5, 9223372036854775807, 197)"),
  ]
  private static let repeating = StatementText(
    """
    SELECT series_id, repeats, next_turn_at FROM chore JOIN family ON family.id = family_id WHERE frequency <> 0
    """
  )
  private static let kept = StatementText(
    "SELECT name_key, removed_at IS NULL, (SELECT removed_at IS NULL FROM child) FROM chore WHERE family_id = 65"
  )

  private static let person = StatementText(
    "SELECT name_key, deactivated_at IS NULL, company IS NULL FROM person WHERE id = 67"
  )

  @Test func `events swept from the feed stay a gap, for every family`() async throws {
    let directory = try TemporaryDirectory()
    let path = DataDirectory.databasePath(in: directory.path)
    let old = try Database(path: path, migrations: Migration.all.filter { $0.number < 12 })
    try await old.write { transaction in
      for statement in [
        "INSERT INTO family (id, name, time_zone, created_at) VALUES (65, 'Lovelace family', 'UTC', 0)",
        "INSERT INTO family (id, name, time_zone, created_at) VALUES (129, 'Hopper family', 'UTC', 0)",
        "INSERT INTO family_event VALUES (65, 9, 0, 132, x'', 0), (65, 11, 0, 132, x'', 0)",
        "UPDATE feed_window SET swept = 7",
      ] { try transaction.statement(StatementText(statement)).run() }
    }
    await old.close()
    let new = try Database(path: path, migrations: Migration.all)
    let feeds = try await new.write { transaction in
      try transaction.run(FeedWindow.sweep, (before: Timestamp(1), limit: 1))
      var feeds: [[Int64]] = []
      let reading = try transaction.statement(
        StatementText("SELECT family_id, count, swept FROM family_feed ORDER BY family_id")
      )
      try reading.forEachRow { row in feeds.append([row.int64(0), row.int64(1), row.int64(2)]) }
      return feeds
    }
    #expect(feeds == [[65, 1, 9], [129, 0, 7]])
    await new.close()
  }

  @Test func `of sessions, adults opened their own, and who opened children's is not known`() async throws {
    let directory = try TemporaryDirectory()
    let path = DataDirectory.databasePath(in: directory.path)
    let origins = Migration.sessionOrigins.number
    let old = try Database(path: path, migrations: Migration.all.filter { $0.number < origins })
    try await old.write { transaction in
      for statement in [
        "INSERT INTO session VALUES (72, 65, 67, NULL, 0, 0, 9, x'01'), (136, 65, 132, NULL, 0, 0, 9, x'02')",
        "INSERT INTO one_time_token VALUES (x'03', 4, 132, 65, NULL, 9)",
      ] { try transaction.statement(StatementText(statement)).run() }
    }
    await old.close()
    let new = try Database(path: path, migrations: Migration.all)
    let rows = try await new.write { transaction in
      var rows: [[Int64?]] = []
      let reading = "SELECT id, opened_by, sign_in_method, length(refresh_hash), unproven_hash IS NULL FROM session"
      try transaction.statement(StatementText(reading)).forEachRow { row in
        rows.append((0..<5).map { row.optionalInt64($0) })
      }
      try transaction.statement(StatementText("SELECT 0, issued_by FROM one_time_token")).forEachRow { row in
        rows.append((0..<2).map { row.optionalInt64($0) })
      }
      return rows
    }
    #expect(rows == [[72, 67, nil, 1, 1], [136, nil, nil, 1, 1], [0, nil]])
    await new.close()
  }

  @Test func `chores and children are kept, listed and found`() async throws {
    let directory = try TemporaryDirectory()
    let path = DataDirectory.databasePath(in: directory.path)
    let old = try Database(path: path, migrations: [.household])
    try await old.write { transaction in
      for statement in Self.fill { try transaction.statement(statement).run() }
    }
    await old.close()
    let new = try Database(path: path, migrations: Migration.all)
    let kept = try await new.write { transaction in
      try transaction.statement(Self.kept).first { row in "\(row.string(0)) \(row.bool(1)) \(row.bool(2))" }
    }
    #expect(kept == "feed the cat true true")
    let person = try await new.write { transaction in
      try transaction.statement(Self.person).first { row in "\(row.string(0)) \(row.bool(1)) \(row.bool(2))" }
    }
    #expect(person == "\(NameOrder.key(of: "Ada Lovelace")) true true")
    let cipher = try #require(IdentifierCipher(secret: Array(0..<16)))
    let cats = InputValue.object([InputField(name: "query", value: .string("cat"))])
    let query = ChoreListQuery(Arguments([InputField(name: "filter", value: cats)]), cipher: cipher)
    let listed = try await new.write { transaction in
      let parameters = KeysetList<ChoreLists.Filter>.PageParameters(
        filter: (family: GlobalID(rawValue: 65), query: query),
        limit: 10,
        position: KeysetPosition(nil)
      )
      return try transaction.reader.first(of: ChoreLists.name.first, parameters) { row in row.int64(0) }
    }
    #expect(listed == 197)
    let turned = try await new.write { transaction in
      try transaction.statement(Self.repeating).first { row in "\(row.int64(0)) \(row.int64(1)) \(row.int64(2))" }
    }
    #expect(turned == "198 1 0")
    // Existing objects can have pictures, and their uses are counted.
    let uses = try await new.write { transaction in
      let insert =
        "INSERT INTO picture (id, hash, format, width, height, byte_count) VALUES (1, zeroblob(32), 0, 1, 1, 1)"
      try transaction.statement(StatementText(insert)).run()
      var uses: [Int64] = []
      for change in [
        "UPDATE chore SET image = 1", "UPDATE child SET avatar = 1", "UPDATE person SET avatar = 1",
        "UPDATE chore SET image = NULL WHERE id = 198", "UPDATE person SET avatar = NULL",
      ] {
        try transaction.statement(StatementText(change)).run()
        uses.append(
          try transaction.statement(StatementText("SELECT uses FROM picture")).first { row in row.int64(0) } ?? -1
        )
      }
      return uses
    }
    #expect(uses == [2, 3, 4, 3, 2])
    #expect(try Database.integrityCheck(of: path) == [])
    await new.close()
  }

  @Test func `the family of a chore is checked at the end of a write, and the uses of its picture are counted`()
    async throws
  {
    let directory = try TemporaryDirectory()
    let path = DataDirectory.databasePath(in: directory.path)
    let migration = Migration.deferredFamilyOfChores.number
    let old = try Database(path: path, migrations: Migration.all.filter { $0.number < migration })
    try await old.write { transaction in
      for statement in [
        "INSERT INTO family (id, name, time_zone, created_at) VALUES (65, 'Lovelace family', 'UTC', 0)",
        "INSERT INTO picture (id, hash, format, width, height, byte_count) VALUES (1, zeroblob(32), 0, 1, 1, 1)",
      ] { try transaction.statement(StatementText(statement)).run() }
      try transaction.run(Chore.table.insert, Self.chore(197, of: 65))
    }
    await old.close()
    let new = try Database(path: path, migrations: Migration.all)
    // Its family is inserted after it, and another one's is not.
    try await new.write { transaction in
      try transaction.run(Chore.table.insert, Self.chore(198, of: 129, image: 1))
      let family = "INSERT INTO family (id, name, time_zone, created_at) VALUES (129, 'Hopper family', 'UTC', 0)"
      try transaction.statement(StatementText(family)).run()
    }
    let failure = await #expect(throws: DatabaseError.self) {
      try await new.write { transaction in try transaction.run(Chore.table.insert, Self.chore(199, of: 193, image: 1)) }
    }
    #expect(failure?.code == .foreignKey)
    // The statement fails, and the write with it.
    let repeated = await #expect(throws: DatabaseError.self) {
      try await new.write { transaction in
        try transaction.run(Chore.table.insert, Self.chore(200, of: 65, image: 1))
        try transaction.run(Chore.table.insert, Self.chore(197, of: 65, image: 1))
      }
    }
    #expect(repeated?.code == .unique)
    let kept = try await new.write { transaction in
      let reading = "SELECT (SELECT group_concat(id, ' ') FROM chore) || ', ' || uses FROM picture"
      return try transaction.statement(StatementText(reading)).first { row in row.string(0) }
    }
    #expect(kept == "197 198, 1")
    #expect(try Database.integrityCheck(of: path) == [])
    await new.close()
  }

  private static func chore(_ id: Int64, of family: Int64, image: Int64? = nil) -> Chore {
    var chore = Chore(
      family: GlobalID(rawValue: family),
      id: GlobalID(rawValue: id),
      name: "Feed the cat",
      nameKey: "feed the cat",
      assignees: KeyList([]),
      createdBy: GlobalID(rawValue: 67),
      createdAt: Timestamp(0),
      updatedAt: Timestamp(0)
    )
    chore.image = image
    return chore
  }

  private static let agreed = StatementText(
    "SELECT group_concat(role || ':' || sharing, ' ') FROM group_member WHERE group_id = 75"
  )

  @Test func `members of groups continue to show the same, and addresses in contact details find nobody`()
    async throws
  {
    let directory = try TemporaryDirectory()
    let path = DataDirectory.databasePath(in: directory.path)
    let consent = try #require(Migration.all.firstIndex { $0.name == Migration.consent.name })
    let old = try Database(path: path, migrations: Array(Migration.all[..<consent]))
    try await old.write { transaction in
      for text in [
        "INSERT INTO family (id, name, time_zone, created_at) VALUES (65, 'Lovelace family', 'UTC', 0)",
        """
        INSERT INTO person (id, family_id, name, first_name, gender, theme, created_at) \
        VALUES (67, 65, 'Ada', 'Ada', 0, 0, 0), (131, 65, 'Grace', 'Grace', 0, 0, 0)
        """,
        """
        INSERT INTO person_group (id, name, name_key, sharing, created_by, created_at) \
        VALUES (75, 'Sox', 'sox', 5, 67, 0)
        """,
        """
        INSERT INTO group_member (group_id, person_id, id, role, name_key, joined_at) \
        VALUES (75, 67, 1, 0, 'ada', 0), (75, 131, 2, 2, 'grace', NULL), (139, 67, 3, 0, 'ada', 0)
        """,
        """
        INSERT INTO contact_info (person_id, scope, kind, id, is_primary, value, match_key) \
        VALUES (67, 0, 0, 1, 0, 'a@b.example', 'a@b.example'), (67, 0, 1, 2, 0, '+16175550123', '+16175550123')
        """,
      ] { try transaction.statement(StatementText(text)).run() }
    }
    await old.close()
    let new = try Database(path: path, migrations: Migration.all)
    let agreed = try await new.write { transaction in
      try transaction.statement(Self.agreed).first { row in row.string(0) }
    }
    #expect(agreed == "0:5 2:0")
    let keys = try await new.write { transaction in
      try transaction.statement(StatementText("SELECT group_concat(match_key) FROM contact_info")).first { row in
        row.string(0)
      }
    }
    #expect(keys == "+16175550123")
    await new.close()
  }

  @Test func `groups stay open, and invitations that were sent keep working, with a parent's confirmation`()
    async throws
  {
    let directory = try TemporaryDirectory()
    let path = DataDirectory.databasePath(in: directory.path)
    let access = try #require(Migration.all.firstIndex { $0.name == Migration.groupAccess.name })
    let old = try Database(path: path, migrations: Array(Migration.all[..<access]))
    let token = try await old.write { transaction in
      for text in [
        "INSERT INTO family (id, name, time_zone, created_at) VALUES (65, 'Lovelace family', 'UTC', 0)",
        """
        INSERT INTO person (id, family_id, name, first_name, gender, theme, created_at) \
        VALUES (67, 65, 'Ada', 'Ada', 0, 0, 0)
        """,
        "INSERT INTO account (id, email, email_key) VALUES (67, 'ada@example.com', 'ada@example.com')",
        """
        INSERT INTO person_group (id, name, name_key, sharing, created_by, created_at) \
        VALUES (78, 'Sox', 'sox', 5, 67, 0)
        """,
        "INSERT INTO mail (kind, person_id, address, subject_id, created_at, due_at) VALUES (4, 67, 'b@example.com', 65, 0, 0)",
      ] { try transaction.statement(StatementText(text)).run() }
      let write = DatedWrite(at: Timestamp(0), in: transaction)
      return try OneTimeToken.issue(.familyInvitation, for: GlobalID(rawValue: 65), in: write).text
    }
    await old.close()
    let new = try Database(path: path, migrations: Migration.all)
    let composer = MailComposer(
      links: MailLinks(baseURL: "http://localhost"),
      serverLinks: MailLinks(baseURL: "http://localhost"),
      sender: Mailbox(name: nil, address: "h@localhost"),
      appName: "Hearth",
      templates: .standard,
      defaultLanguage: .english,
      key: [1],
      limits: RateLimits()
    )
    let (standing, grant, mail, address) = try await new.write { transaction in
      let standing = try PersonGroup.standing(
        of: GlobalID(rawValue: 67),
        in: GlobalID(rawValue: 78),
        from: transaction.reader
      )
      let write = DatedWrite(at: Timestamp(1), in: transaction)
      let grant = try OneTimeToken.grant(for: token, as: .familyInvitation, at: write.now, from: write.reader)
      // A mail that was queued before gets an invitation of its own, bound to its address.
      let queued = try QueuedMail.take(at: 1, in: transaction)
      let mail = try queued.flatMap { try composer.compose($0, in: write) }
      let reading = try transaction.statement(StatementText("SELECT email_key, invited_by FROM family_invitation"))
      let address = try reading.first { row in "\(row.string(0)) by \(row.int64(1))" }
      return (standing, grant.subject, mail, address)
    }
    #expect(standing?.access == .open)
    #expect(grant == GlobalID(rawValue: 65))
    #expect(mail != nil)
    #expect(address == "b@example.com by 67")
    #expect(try Database.integrityCheck(of: path) == [])
    await new.close()
  }

  @Test func `points become opening entries, and what no longer counts is closed`() async throws {
    let directory = try TemporaryDirectory()
    let path = DataDirectory.databasePath(in: directory.path)
    let old = try Database(path: path, migrations: Migration.all.filter { $0.number < Migration.pointLedger.number })
    try await old.write { transaction in
      for text in [
        "INSERT INTO family (id, name, time_zone, created_at) VALUES (65, 'Lovelace family', 'UTC', 0)",
        "UPDATE sequence SET next = 1000",
        // Mia has a contract with 7 points, had one with 5, and got 2 before it. Ben got none. Zoë has no contract.
        """
        INSERT INTO child (family_id, id, name, username, username_key, gender, theme, created_at, points, \
        achievement_points, contract_id) VALUES (65, 132, 'Mia', 'mia', 'mia', 0, 0, 0, 7, 14, 326), \
        (65, 196, 'Ben', 'ben', 'ben', 0, 0, 0, 0, 0, NULL), (65, 260, 'Zoë', 'zoë', 'zoë', 0, 0, 0, 3, 3, NULL)
        """,
        """
        INSERT INTO contract (family_id, child_id, id, max_points, points, active, created_at) \
        VALUES (65, 132, 262, 10, 5, 0, 0), (65, 132, 326, 10, 7, 1, 0)
        """,
      ] { try transaction.statement(StatementText(text)).run() }
    }
    await old.close()
    let new = try Database(path: path, migrations: Migration.all)
    let (entries, balances, next) = try await new.write { transaction in
      var entries: [String] = []
      let written = "SELECT member_id, points, kind, coalesce(contract_id, 0), id & 63 FROM point_entry ORDER BY id"
      try transaction.statement(StatementText(written)).forEachRow { row in
        entries.append((0..<5).map { String(row.int64($0)) }.joined(separator: " "))
      }
      var balances: [String] = []
      let kept = "SELECT points, achievement_points FROM child ORDER BY id"
      try transaction.statement(StatementText(kept)).forEachRow { row in
        balances.append("\(row.int64(0)) \(row.int64(1))")
      }
      return (entries, balances, try KeySequence.next(.pointEntry, in: transaction).number)
    }
    #expect(
      entries == ["132 2 0 0 35", "132 5 0 262 35", "132 7 0 326 35", "132 -7 4 0 35", "260 3 0 0 35"]
    )
    #expect(balances == ["7 14", "0 0", "3 3"])
    #expect(next == 1005)
    await new.close()
    #expect(try PointLedgerCheck.faults(Database.reader(of: path)) == [])
  }

  @Test func `notifications are kept with their counts`() async throws {
    let directory = try TemporaryDirectory()
    let path = DataDirectory.databasePath(in: directory.path)
    let before = Migration.all.filter { $0.number < Migration.rewardRedemption.number }
    let old = try Database(path: path, migrations: before)
    try await old.write { transaction in
      for text in [
        "INSERT INTO family (id, name, time_zone, created_at) VALUES (65, 'Lovelace family', 'UTC', 0)",
        """
        INSERT INTO person (id, family_id, name, first_name, gender, theme, created_at) \
        VALUES (67, 65, 'Ada', 'Ada', 0, 0, 0)
        """,
        "INSERT INTO account (id, email, email_key) VALUES (67, 'ada@example.com', 'ada@example.com')",
        "INSERT INTO notification VALUES (67, 79, 1, 2, 3, NULL), (67, 143, 4, 5, 6, 7)",
      ] { try transaction.statement(StatementText(text)).run() }
    }
    await old.close()
    let new = try Database(path: path, migrations: Migration.all)
    let counts = "SELECT notification_count, unread_count FROM account"
    let seen = try await new.write { transaction in
      var seen: [String] = []
      func read(_ text: String, _ columns: Int32) throws {
        try transaction.statement(StatementText(text)).forEachRow { row in
          seen.append((0..<Int(columns)).map { row.isNull($0) ? "-" : String(row.int64($0)) }.joined(separator: " "))
        }
      }
      try read("SELECT * FROM notification ORDER BY id", 7)
      try read(counts, 2)
      // A child's, a new one of hers, and one of hers that she has read.
      for text in [
        "INSERT INTO notification VALUES (132, 207, 1, 2, 3, NULL, 3), (67, 271, 1, 2, 3, NULL, 4)",
        "UPDATE notification SET read_at = 9 WHERE id = 79", "DELETE FROM notification WHERE id = 143",
      ] { try transaction.statement(StatementText(text)).run() }
      try read(counts + " ", 2)
      return seen
    }
    #expect(seen == ["67 79 1 2 3 - 1", "67 143 4 5 6 7 2", "2 1", "2 1"])
    #expect(try Database.integrityCheck(of: path) == [])
    await new.close()
  }
}
