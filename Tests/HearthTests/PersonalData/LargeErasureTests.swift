import Storage
import TestSupport
import Testing

@testable import Hearth

/// Erasures of people with so many chores that no write could erase them at once. The budget of a write is small here,
/// so that some thousand chores are as many as a hundred thousand are for a server.
@Suite("Erasures of people with many chores", .timeLimit(.minutes(10)))
struct LargeErasureTests {
  /// For the second server of a test. The first has the usual budget.
  private static let limit: @Sendable (inout Configuration) -> Void = { $0.databaseLimits.writeSteps = 300_000 }

  /// The numbers of assignments and of chores.
  private func counts(_ server: TestServer) throws -> [[Int64]] {
    try server.rows("SELECT (SELECT count(*) FROM assignment), (SELECT count(*) FROM chore)", columns: 2)
  }

  @Test(arguments: [false, true])
  func `an adult is erased in portions, with the family if it has no other`(hasOther: Bool) async throws {
    let directory = try TemporaryDirectory()
    try await TestServer.run(in: directory) { server in
      let ada = try await Household(on: server)
      if hasOther { try await ada.admit(try await Household("Grace Hopper", on: server), on: server) }
      _ = try await ada.addChore(for: [ada.personID])
      try await server.copyChore(4_000)
      #expect(try await ada.deleteAccount().userErrors == [])
    }
    try await TestServer.run(in: directory, startingLater: 31 * 86_400, configure: Self.limit) { server in
      try await server.erasures(become: 1)
      #expect(try counts(server) == [hasOther ? [0, 4_001] : [0, 0]])
      #expect(try server.rows("SELECT count(*) FROM chore WHERE length(assignees) > 0", columns: 1) == [[0]])
    }
  }

  @Test(arguments: [("person", false), ("person", true), ("child", false)])
  func `a server with a restored backup starts, and erases them in portions`(
    table: String,
    hasOther: Bool
  ) async throws {
    let directory = try TemporaryDirectory()
    try await TestServer.run(in: directory) { server in
      let ada = try await Household(on: server)
      if hasOther { try await ada.admit(try await Household("Grace Hopper", on: server), on: server) }
      let member = table == "person" ? ada.personID : try await ada.addChild("Mia", username: "mia")
      _ = try await ada.addChore(for: [member])
      try await server.copyChore(4_000)
      let row = try #require(try server.rows("SELECT id, created_at FROM \(table) ORDER BY id", columns: 2).first)
      let entry = ErasureRecord.Entry(key: GlobalID(rawValue: row[0]), createdAt: row[1])
      try ErasureRecord(in: directory.path).append([entry])
    }
    try await TestServer.run(in: directory, configure: Self.limit) { server in
      let end = table == "person" ? "deactivated_at" : "removed_at"
      #expect(try server.rows("SELECT count(*) FROM \(table) WHERE \(end) IS NULL", columns: 1) == [[hasOther ? 1 : 0]])
      try await server.erasures(become: 1)
      #expect(try counts(server) == [table == "person" && !hasOther ? [0, 0] : [0, 4_001]])
    }
  }

  @Test(.onlySQLite("The trigger is written for it."))
  func `an erasure that fails does not delay others, is logged once, and is tried again later`() async throws {
    let log = RecordedLog()
    try await TestServer.run(log: log.logger) { server in
      let ada = try await Household(on: server)
      let key = try #require(server.services.cipher.key(of: ada.personID)).rawValue
      let grace = try await Household("Grace Hopper", on: server)
      _ = try await ada.deleteAccount()
      server.clock.advance(seconds: 1)
      _ = try await grace.deleteAccount()
      let trigger = StatementText(
        """
        CREATE TRIGGER not_erasable BEFORE UPDATE OF erased_at ON person WHEN NEW.id = \(key)
        BEGIN SELECT RAISE(ABORT, 'not erasable'); END
        """
      )
      let database = server.services.database
      try await database.write { transaction in try transaction.statement(trigger).run() }
      let erased = "SELECT count(*) FROM person WHERE erased_at IS NOT NULL"
      let others = "SELECT count(*) FROM person WHERE erased_at IS NOT NULL AND id <> \(key)"
      server.clock.advance(days: 30)
      while try server.rows(others, columns: 1) != [[1]] {
        server.clock.advance(seconds: 1)
        await Task.yield()
      }
      #expect(try server.rows(erased, columns: 1) == [[1]])
      #expect(log.messages.filter { $0.hasPrefix("An erasure fails") }.count == 1)

      let end = StatementText("DROP TRIGGER not_erasable")
      try await database.write { transaction in try transaction.statement(end).run() }
      while try server.rows(erased, columns: 1) != [[2]] {
        server.clock.advance(seconds: 60)
        await Task.yield()
      }
      #expect(log.messages.filter { $0.hasPrefix("An erasure fails") }.count == 1)
    }
  }

}

@Suite(
  "Erasures that conflict with the writes of other processes",
  .enabled(if: PostgreSQLCluster.isInstalled, "Scripts/install-postgresql installs PostgreSQL."),
  .timeLimit(.minutes(5))
)
struct PostgreSQLErasureConflictTests {
  @Test func `an erasure that conflicts with other writes several times does not count as one that fails`() async throws
  {
    let log = RecordedLog()
    try await TestServer.run(database: .postgresql, log: log.logger) { server in
      let ada = try await Household(on: server)
      #expect(try await ada.deleteAccount().userErrors == [])
      // The numbers of a sequence are not rolled back, so they count the executions of the write.
      try await PostgreSQLCluster.shared().execute(
        """
        CREATE SEQUENCE execution;
        GRANT SELECT ON SEQUENCE execution TO PUBLIC;
        CREATE FUNCTION conflict() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$ BEGIN
          IF nextval('public.execution') <= 6 THEN RAISE serialization_failure; END IF;
          RETURN NEW;
        END $$;
        CREATE TRIGGER conflict BEFORE UPDATE OF erased_at ON person FOR EACH ROW EXECUTE FUNCTION conflict();
        """,
        in: try await ServerDatabases.name(forFolder: server.directory.path)
      )
      server.clock.advance(days: 30)
      while try server.rows("SELECT count(*) FROM person WHERE erased_at IS NOT NULL", columns: 1) != [[1]] {
        try #require(!log.messages.contains { $0.hasPrefix("An erasure fails") })
        await Task.yield()
      }
      #expect(try server.rows("SELECT last_value FROM execution", columns: 1)[0][0] > 6)
    }
  }
}
