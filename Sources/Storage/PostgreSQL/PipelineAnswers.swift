import PostgreSQL

/// Answers the statements of a request by a PostgreSQL server: those of one pass in one round trip, all of them from
/// one snapshot.
final class PipelineAnswers: StatementAnswering {
  private let connections: LoopConnections
  /// Not nil while there is a snapshot.
  private var connection: LoopConnection?
  private var budget: ServerReadBudget
  /// The error that ended the snapshot. All further statements fail with it.
  private var failure: DatabaseError?

  private let report: (DatabaseError) -> Void

  /// - Parameter report: called with errors.
  init(_ connections: LoopConnections, _ limits: DatabaseLimits, report: @escaping (DatabaseError) -> Void) {
    self.connections = connections
    self.report = report
    budget = ServerReadBudget(limits)
  }

  var isExhausted: Bool { budget.isExhausted }

  func answer(_ statements: [AskedStatement]) async {
    do throws(DatabaseError) {
      if let failure { throw failure }
      let (results, start) = try await results(of: statements)
      try budget.use(results, since: start)
      for (statement, rows) in zip(statements, results) {
        statement.answer = .success(try ServerRows(rows, of: statement.sql))
      }
    } catch {
      budget.use(error)
      if failure == nil { report(error) }
      failure = error
      for statement in statements { statement.answer = .failure(error) }
    }
  }

  /// The results, and when the statements were sent.
  private func results(
    of statements: [AskedStatement]
  ) async throws(DatabaseError) -> ([ResultRows], ContinuousClock.Instant) {
    do throws(PostgreSQLError) {
      if let connection {
        let start = ContinuousClock.now
        return (try await connection.run(try Self.batch(statements)), start)
      }
      do throws(PostgreSQLError) {
        return try await firstResults(of: statements)
      } catch  where error.isFatal {
        // The server may have closed an idle connection, and then the others too. Nothing has been answered, so that
        // another snapshot does.
        endRead()
        connections.closeIdle()
        return try await firstResults(of: statements)
      }
    } catch {
      throw DatabaseError(error)
    }
  }

  private func firstResults(
    of statements: [AskedStatement]
  ) async throws(PostgreSQLError) -> ([ResultRows], ContinuousClock.Instant) {
    let taken = try await connections.take()
    connection = taken
    let start = ContinuousClock.now
    return (Array(try await taken.run(try Self.batch(statements, .beginSnapshot)).dropFirst()), start)
  }

  private static func batch(
    _ statements: [AskedStatement],
    _ first: ServerStatement? = nil
  ) throws(PostgreSQLError) -> Batch {
    let batch = Batch()
    if let first { batch.append(first) }
    for asked in statements {
      do throws(DatabaseError) {
        batch.append(asked.sql.server, try ParameterBuffer(asked.parameters, of: asked.sql.server))
      } catch {
        throw PostgreSQLError(.misuse, error.message, sql: error.sql)
      }
    }
    return batch
  }

  func endRead() {
    failure = nil
    budget.restart()
    guard let connection else { return }
    self.connection = nil
    let batch = Batch()
    // Also ends a transaction that has failed.
    batch.append(.endSnapshot)
    connection.send(batch)
    connections.giveBack(connection)
  }
}
