/// A random number that a transaction writes, by which its outcome is found out when the connection was lost after
/// COMMIT was sent. The transaction's own identifier does not do: after a failover the new primary assigns the same
/// identifiers again, and `pg_xact_status` then describes another transaction.
struct CommitToken {
  /// The table that the database must have.
  static let table = """
    CREATE TABLE commit_token (
      token bytea PRIMARY KEY,
      written_at timestamptz NOT NULL DEFAULT now()
    );
    """

  /// Tokens are needed as long as a write can be in doubt: some seconds.
  static let sweep = ServerStatement(
    """
    DELETE FROM commit_token WHERE now() - interval '10 minutes' > \
    CASE WHEN \(isTransactionTime) THEN written_at ELSE written_at - \(distance) END
    """
  )

  /// What is added to the time of an inquiry, so that it is not taken for that of a transaction: a thousand years. The
  /// clock of a server that takes over can be behind that of the one before. In hours, because days and years depend on
  /// the time zone.
  private static let distance = "interval '8766000 hours'"
  private static let isTransactionTime = "written_at < '2500-01-01'"
  private static let take = ServerStatement(
    "INSERT INTO commit_token (token, written_at) VALUES ($1, now() + \(distance))",
    types: [.bytea]
  )
  private static let isOfTransaction = ServerStatement(
    "SELECT count(*) FROM commit_token WHERE token = $1 AND \(isTransactionTime)",
    types: [.bytea]
  )

  let parameters: ParameterBuffer

  init() {
    var random = SystemRandomNumberGenerator()
    var parameters = ParameterBuffer()
    // Each number is a system call.
    let halves = [random.next(), random.next()]
    parameters.append(bytes: halves.withUnsafeBytes { Array($0) })
    self.parameters = parameters
  }

  /// Whether the transaction with this token was committed. If not, it never will be: the token is taken.
  ///
  /// While the transaction is still being committed by a server process that has not noticed the loss of its client,
  /// the insertion waits for its end.
  func wasCommitted(on connection: BlockingConnection) throws(PostgreSQLError) -> Bool {
    do throws(PostgreSQLError) {
      try connection.run(Self.take, parameters)
      return false
    } catch {
      guard error.sqlState == "23505" else { throw error }
      // The row can be that of an inquiry whose answer was lost.
      return try connection.run(Self.isOfTransaction, parameters).int64(0, 0) > 0
    }
  }
}
