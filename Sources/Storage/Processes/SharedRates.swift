import PostgreSQL

/// Token buckets that the processes of a PostgreSQL database share. The state of a bucket is the time at which it is
/// full again (generic cell rate algorithm). All times are the caller's, in milliseconds.
package struct SharedRates: Sendable {
  /// What is taken from a bucket.
  package struct Charge: Sendable {
    /// Identifies the bucket. It should reveal nothing about whom it is for.
    package let name: [UInt8]
    /// The time that refills what is taken.
    package let cost: Int64
    /// The time that refills the whole bucket.
    package let capacity: Int64

    package init(name: [UInt8], cost: Int64, capacity: Int64) {
      self.name = name
      self.cost = cost
      self.capacity = capacity
    }
  }

  /// The table that the database must have.
  package static let table = """
    CREATE TABLE rate_limit (
      name bytea PRIMARY KEY,
      arrival bigint NOT NULL
    );
    COMMENT ON TABLE rate_limit IS 'When the budget of each name is full again, in milliseconds since 1970.';
    """

  /// The condition is checked twice: before anything is taken, so that all buckets or none are charged, and in the
  /// update, so that two processes cannot take the same tokens. If they try, one of them is rejected, and what it took
  /// from other buckets stays taken.
  ///
  /// A state that is more than `longestSkew` beyond what the caller's clock allows was left by a process whose clock
  /// was wrong, and counts as a full bucket. Otherwise the bucket would be empty until that time.
  private static let take = StatementText(
    """
    WITH asked AS MATERIALIZED (SELECT a.name, a.cost, a.room, \
    CASE WHEN r.arrival - $4::bigint <= a.room + \(longestSkew) THEN greatest(r.arrival - $4, 0) ELSE 0 END AS debt \
    FROM unnest($1::bytea[], $2::bigint[], $3::bigint[]) AS a (name, cost, room) \
    LEFT JOIN rate_limit AS r ON r.name = a.name), \
    short AS MATERIALIZED (SELECT max(least(debt, room) + cost - room) AS wait \
    FROM asked WHERE least(debt, room) + cost > room), \
    taken AS (INSERT INTO rate_limit AS r (name, arrival) \
    SELECT name, $4 + cost FROM asked WHERE (SELECT wait FROM short) IS NULL ORDER BY name \
    ON CONFLICT (name) DO UPDATE SET arrival = excluded.arrival + CASE \
    WHEN r.arrival - $4 <= (SELECT a.room FROM asked AS a WHERE a.name = r.name) THEN greatest(r.arrival - $4, 0) \
    ELSE 0 END \
    WHERE greatest(r.arrival - $4, 0) + excluded.arrival - $4 <= (SELECT a.room FROM asked AS a WHERE a.name = r.name) \
    OR r.arrival - $4 > \(longestSkew) + (SELECT a.room FROM asked AS a WHERE a.name = r.name) \
    RETURNING 1) \
    SELECT (SELECT wait FROM short), (SELECT count(*) FROM taken)
    """
  )
  /// Milliseconds by which the clocks of processes can differ.
  private static let longestSkew: Int64 = 60_000
  private static let giveBack = StatementText(
    """
    INSERT INTO rate_limit AS r (name, arrival) \
    SELECT a.name, 0 - a.cost FROM unnest($1::bytea[], $2::bigint[]) AS a (name, cost) ORDER BY a.name \
    ON CONFLICT (name) DO UPDATE SET arrival = r.arrival + excluded.arrival
    """
  )
  private static let sweep = StatementText("DELETE FROM rate_limit WHERE arrival < $1::bigint")
  /// The wait of a caller who competed with another one for the last tokens.
  private static let shortWait: Int64 = 1_000

  private let statements: SingleStatements

  init(_ statements: SingleStatements) { self.statements = statements }

  /// Charges all buckets, or none if one has too little left. Then returns the milliseconds until it has enough.
  package func take(_ charges: [Charge], at now: Int64) async throws(DatabaseError) -> Int64? {
    try await statements.run(Self.take.server, Self.parameters(charges, at: now), isRepeatable: false) { rows in
      Self.wait(rows, for: charges.count)
    }
  }

  /// Returns what `take` has charged.
  package func giveBack(_ charges: [Charge]) async throws(DatabaseError) {
    var parameters = ParameterBuffer()
    parameters.append(names: charges)
    parameters.append(charges.map(\.cost))
    try await statements.run(Self.giveBack.server, parameters, isRepeatable: false) { _ in }
  }

  /// Removes the buckets that have been full since a time.
  package func sweep(before moment: Int64) async throws(DatabaseError) {
    try await statements.run(Self.sweep.server, ParameterBuffer(moment), isRepeatable: true) { _ in }
  }

  private static func parameters(_ charges: [Charge], at now: Int64) -> ParameterBuffer {
    var parameters = ParameterBuffer()
    parameters.append(names: charges)
    parameters.append(charges.map(\.cost))
    parameters.append(charges.map(\.capacity))
    parameters.append(now)
    return parameters
  }

  private static func wait(_ rows: ResultRows, for count: Int) -> Int64? {
    if !rows.isNull(0, 0) { return rows.int64(0, 0) }
    return rows.int64(0, 1) < Int64(count) ? shortWait : nil
  }

  /// Charges the buckets in a transaction: they are not charged if it is rolled back.
  static func take(
    _ charges: [Charge],
    at now: Int64,
    in transaction: ServerTransaction
  ) throws(PostgreSQLError) -> Int64? {
    wait(try transaction.rows(take.server, parameters(charges, at: now)), for: charges.count)
  }
}

extension ParameterBuffer {
  fileprivate mutating func append(names charges: [SharedRates.Charge]) {
    appendArray(of: .bytea, count: charges.count) { index, append in
      charges[index].name.withUnsafeBytes { append($0) }
    }
  }
}

extension Database {
  /// Token buckets that the processes of the database share. Nil with SQLite, whose file one process uses.
  package var sharedRates: SharedRates? { singleStatements.map(SharedRates.init) }
}
