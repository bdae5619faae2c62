import PostgreSQL

/// Statements that the processes of a PostgreSQL database share state by. Each is a transaction of its own, on a
/// connection of its own, so that it waits for no write.
///
/// The connection does not wait for the disk or a standby (`synchronous_commit`): what a crash of the database loses is
/// written again a second later, or was a count of attempts.
final class SingleStatements: Sendable {
  private let writer: ServerWriter
  /// Called with the outcome of each statement.
  private let note: @Sendable (DatabaseError?) -> Void

  /// Opens the connection when it is first needed.
  init(
    _ options: ConnectionOptions,
    limits: DatabaseLimits,
    note: @escaping @Sendable (DatabaseError?) -> Void
  ) throws {
    var options = options
    options.waitsForDisk = false
    var single = ServerWriterOptions()
    single.writeTimeout = limits.postgreSQL.connectionTimeout
    single.batchTimeout = limits.postgreSQL.batchTime
    writer = try ServerWriter(options, options: single)
    self.note = note
  }

  /// - Parameter isRepeatable: whether the statement can be executed twice. It is if the connection was lost meanwhile.
  func run<Value: Sendable>(
    _ statement: ServerStatement,
    _ parameters: ParameterBuffer,
    isRepeatable: Bool,
    _ read: @escaping @Sendable (ResultRows) -> Value
  ) async throws(DatabaseError) -> Value {
    do throws(PostgreSQLError) {
      let value = try await writer.execute(statement, parameters, isRepeatable: isRepeatable, read)
      note(nil)
      return value
    } catch {
      let failure = DatabaseError(error)
      if failure.code != .closed { note(failure) }
      throw failure
    }
  }

  func close() async { await writer.close() }
}
