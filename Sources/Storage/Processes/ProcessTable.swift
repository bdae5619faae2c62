import PostgreSQL

/// The processes that use a PostgreSQL database, and the leases of their common work, each of which one process has.
///
/// A process calls `beat` once a second: one statement says that it is there, renews its leases, takes those that
/// nobody has, and returns what the process must know. All times are those of the database's clock.
package struct ProcessTable: Sendable {
  /// A process as the others see it.
  package struct Member: Sendable {
    /// Random.
    package let id: Int64
    package let version: String
    /// The number of the last migration that it knows.
    package let schemaVersion: Int
    package let host: String
    /// The process's number in the operating system.
    package let number: Int64

    package init(id: Int64, version: String, schemaVersion: Int, host: String, number: Int64) {
      self.id = id
      self.version = version
      self.schemaVersion = schemaVersion
      self.host = host
      self.number = number
    }
  }

  /// A process, and when it started.
  package struct Entry: Sendable {
    package let member: Member
    package let startedAt: Int64
    /// The names of its leases.
    package let leases: [String]
  }

  /// The answer to a beat.
  package struct Pulse: Sendable {
    /// The time of the database in milliseconds.
    package let time: Int64
    /// The number of processes, with this one.
    package let processes: Int
    /// The names of the leases that this process has.
    package let leases: Set<String>
    /// What the statements of the beat return, in their order.
    package let values: [Int64?]
  }

  /// A lease ends so many milliseconds after it was last renewed. Another process takes it a second later at most, thus
  /// within four seconds.
  package static let leaseLength: Int64 = 2_750
  /// Milliseconds after which a process that has not been there counts as ended.
  package static let absence: Int64 = 5_000

  /// The tables that the database must have.
  package static let tables = """
    CREATE TABLE process (
      id bigint PRIMARY KEY,
      version text COLLATE "C" NOT NULL,
      schema_version bigint NOT NULL,
      host text COLLATE "C" NOT NULL,
      number bigint NOT NULL,
      started_at bigint NOT NULL,
      seen_at bigint NOT NULL
    );
    COMMENT ON TABLE process IS 'The Hearth processes that use the database.';
    CREATE TABLE lease (
      name text COLLATE "C" PRIMARY KEY,
      holder bigint NOT NULL,
      until bigint NOT NULL
    );
    COMMENT ON TABLE lease IS 'Which process does the work of each name, and until when.';
    """

  /// The time of the database in milliseconds, also within a transaction.
  static let clock = "(extract(epoch FROM clock_timestamp()) * 1000)::bigint"

  private static let leave = StatementText(
    "WITH ended AS (DELETE FROM process WHERE id = $1::bigint) DELETE FROM lease WHERE holder = $1"
  )
  private static let list = StatementText(
    """
    SELECT p.id, p.version, p.schema_version, p.host, p.number, p.started_at, \
    (SELECT coalesce(string_agg(name, E'\\n' ORDER BY name), '') FROM lease AS l WHERE l.holder = p.id AND l.until > c.now) \
    FROM (SELECT \(clock) AS now) AS c, process AS p WHERE p.seen_at > c.now - $1::bigint ORDER BY p.started_at, p.id
    """
  )

  private let statements: SingleStatements

  init(_ statements: SingleStatements) { self.statements = statements }

  /// - Parameters:
  ///   - leases: the names of all leases that the process wants.
  ///   - beat: made of the statements whose values are wanted.
  package func beat(
    of member: Member,
    leases: [String],
    _ beat: Beat
  ) async throws(DatabaseError) -> Pulse {
    var parameters = ParameterBuffer(
      member.id,
      member.version,
      Int64(member.schemaVersion),
      member.host,
      member.number
    )
    parameters.appendArray(of: .text, count: leases.count) { index, append in
      var name = leases[index]
      name.withUTF8 { append(UnsafeRawBufferPointer($0)) }
    }
    let count = beat.count
    return try await statements.run(beat.statement, parameters, isRepeatable: true) { rows in
      Pulse(
        time: rows.int64(0, 0),
        processes: Int(rows.int64(0, 1)) + 1,
        leases: Set(rows.text(0, 2).split(separator: "\n").map(String.init)),
        values: (0..<count).map { rows.isNull(0, $0 + 3) ? nil : rows.int64(0, $0 + 3) }
      )
    }
  }

  /// Ends all leases of a process, which ends.
  package func remove(_ id: Int64) async throws(DatabaseError) {
    try await statements.run(Self.leave.server, ParameterBuffer(id), isRepeatable: true) { _ in }
  }

  /// The processes that are there.
  package func entries() async throws(DatabaseError) -> [Entry] {
    try await statements.run(Self.list.server, ParameterBuffer(Self.absence), isRepeatable: true) { rows in
      (0..<rows.count).map { row in
        Entry(
          member: Member(
            id: rows.int64(row, 0),
            version: rows.text(row, 1),
            schemaVersion: Int(rows.int64(row, 2)),
            host: rows.text(row, 3),
            number: rows.int64(row, 4)
          ),
          startedAt: rows.int64(row, 5),
          leases: rows.text(row, 6).split(separator: "\n").map(String.init)
        )
      }
    }
  }

  /// The statement of a beat.
  package struct Beat: Sendable {
    let statement: ServerStatement
    let count: Int

    /// Create it once: see `StatementText`.
    ///
    /// - Parameter values: statements that return at most one number each.
    package init(returning values: [SQL<Void>]) {
      count = values.count
      let columns = values.map { ", (\($0.statement.postgreSQLText))" }.joined()
      // All processes take the rows of leases in the order of their names, and before the other rows, so that none
      // waits for one that waits for it.
      statement =
        StatementText(
          """
          WITH clock AS MATERIALIZED (SELECT \(clock) AS now), \
          seen AS (INSERT INTO process (id, version, schema_version, host, number, started_at, seen_at) \
          SELECT $1::bigint, $2::text, $3::bigint, $4::text, $5::bigint, now, now FROM clock \
          ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at), \
          gone AS (DELETE FROM process WHERE seen_at < (SELECT now FROM clock) - 60000 AND id <> $1), \
          taken AS (INSERT INTO lease (name, holder, until) \
          SELECT name, $1, now + \(leaseLength) FROM clock, unnest($6::text[]) AS name ORDER BY name \
          ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, until = excluded.until \
          WHERE lease.holder = excluded.holder OR lease.until <= (SELECT now FROM clock) RETURNING name) \
          SELECT c.now, (SELECT count(*) FROM process WHERE seen_at > c.now - \(absence) AND id <> $1), \
          (SELECT coalesce(string_agg(name, E'\\n'), '') FROM taken)\(columns) FROM clock AS c
          """
        ).server
    }
  }
}

extension Database {
  /// The processes that use the database. Nil with SQLite, whose file one process uses.
  package var processTable: ProcessTable? { singleStatements.map(ProcessTable.init) }
}
