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
  /// Not nil if statements are measured.
  private let trace: ServerTrace?

  /// - Parameter report: called with errors.
  init(
    _ connections: LoopConnections,
    limits: DatabaseLimits,
    trace: ServerTrace?,
    report: @escaping (DatabaseError) -> Void
  ) {
    self.trace = trace
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
        return try await run(try Self.batch(statements), of: statements, on: connection)
      }
      do throws(PostgreSQLError) {
        return try await firstResults(of: statements)
      } catch  where error.isFatal {
        endRead()
        connections.closeIdle()
        // The server may have closed an idle connection, and then the others too. Nothing has been answered, so that
        // another snapshot does. A server that does not answer in time is not asked again.
        guard error.code == .connectionLost else { throw error }
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
    let batch = try Self.batch(statements, after: taken.hasSnapshot ? [.commit, .beginSnapshot] : [.beginSnapshot])
    taken.hasSnapshot = true
    return try await run(batch, of: statements, on: taken)
  }

  /// - Parameter batch: It ends with the statements.
  private func run(
    _ batch: Batch,
    of statements: [AskedStatement],
    on connection: LoopConnection
  ) async throws(PostgreSQLError) -> ([ResultRows], ContinuousClock.Instant) {
    let start = ContinuousClock.now
    let results = try await connection.run(batch)
    if let trace {
      let times = [start] + batch.resultTimes
      for ((before, after), statement) in zip(zip(times, times.dropFirst()).suffix(statements.count), statements) {
        trace.add(statement.sql, duration: after - before)
      }
    }
    return (Array(results.suffix(statements.count)), start)
  }

  private static func batch(
    _ statements: [AskedStatement],
    after first: [ServerStatement] = []
  ) throws(PostgreSQLError) -> Batch {
    let batch = Batch()
    for statement in first { batch.append(statement) }
    for asked in statements {
      do throws(DatabaseError) {
        batch.append(asked.sql.server, try ParameterBuffer(asked.parameters, of: asked.sql.server))
      } catch {
        throw PostgreSQLError(.misuse, message: error.message, sql: error.sql)
      }
    }
    return batch
  }

  func endRead() {
    failure = nil
    budget.restart()
    guard let connection else { return }
    self.connection = nil
    connections.giveBack(connection)
  }
}
