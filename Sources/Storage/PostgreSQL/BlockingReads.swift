import PostgreSQL

/// Executes statements on a PostgreSQL server, one after the other, on a thread that waits for each.
protocol ServerSession: AnyObject {
  func rows(_ statement: ServerStatement, _ parameters: ParameterBuffer) throws(PostgreSQLError) -> ResultRows

  /// Executes a statement whose rows are not needed. Its error may be reported by a later one.
  func run(_ statement: ServerStatement, _ parameters: ParameterBuffer) throws(PostgreSQLError)

  func endRead()
}

/// The statements of a reader that waits for a PostgreSQL server.
final class BlockingReads: StatementSource {
  private let session: any ServerSession
  /// Not nil if statements are measured.
  let trace: ServerTrace?
  /// Nil without a limit for the transaction.
  private var budget: ServerReadBudget?
  /// By slot. As with SQLite, a statement must not be requested again while its rows are being read.
  private var statements: [Int: DeferredStatement] = [:]

  init(_ session: some ServerSession, trace: ServerTrace?, budget: ServerReadBudget? = nil) {
    self.session = session
    self.trace = trace
    self.budget = budget
  }

  func statement(_ sql: StatementText) -> Statement {
    if let known = statements[sql.slot] {
      known.finish()
      return Statement(known)
    }
    let made = DeferredStatement(sql, of: self)
    statements[sql.slot] = made
    return Statement(made)
  }

  func rows(of sql: StatementText, _ parameters: ParameterBytes) throws(DatabaseError) -> AnsweredRows? {
    let parameters = try ParameterBuffer(parameters, of: sql.server)
    let rows: ResultRows
    let start = trace == nil && budget == nil ? nil : ContinuousClock.now
    defer { if let start { trace?.add(sql, duration: ContinuousClock.now - start) } }
    do throws(PostgreSQLError) { rows = try session.rows(sql.server, parameters) } catch { throw DatabaseError(error) }
    if let start { try budget?.use([rows], since: start) }
    return try AnsweredRows(rows, of: sql)
  }

  func run(_ sql: StatementText, _ parameters: ParameterBytes) throws(DatabaseError) {
    let parameters = try ParameterBuffer(parameters, of: sql.server)
    trace?.add(sql)
    do throws(PostgreSQLError) { try session.run(sql.server, parameters) } catch { throw DatabaseError(error) }
  }

  func endRead() {
    budget?.restart()
    session.endRead()
  }

  var isExhausted: Bool { budget?.isExhausted ?? false }
}

/// Within a write. The pool begins and ends the transaction.
extension ServerTransaction: ServerSession {
  func endRead() {}
}

/// A snapshot that a thread reads with a connection of its own.
final class BlockingSnapshot: ServerSession {
  /// Nil if the first connection is the only one.
  private let connector: Connector?
  private let timeout: Duration
  private var connection: BlockingConnection?
  private var isReading = false
  /// The error that ended the snapshot. What follows fails with it, and does not read another snapshot.
  private var failure: PostgreSQLError?

  /// - Parameter timeout: the time in which the server must answer.
  init(_ connector: Connector, timeout: Duration) {
    self.connector = connector
    self.timeout = timeout
  }

  /// Reads with an open connection, and with no other one.
  init(_ connection: BlockingConnection) {
    connector = nil
    timeout = .zero
    self.connection = connection
  }

  func rows(_ statement: ServerStatement, _ parameters: ParameterBuffer) throws(PostgreSQLError) -> ResultRows {
    if let failure { throw failure }
    do throws(PostgreSQLError) {
      if isReading, let connection { return try connection.run(statement, parameters) }
      return try first(statement, parameters)
    } catch {
      if error.isFatal { connection = nil }
      if isReading { failure = error }
      throw error
    }
  }

  func run(_ statement: ServerStatement, _ parameters: ParameterBuffer) throws(PostgreSQLError) {
    _ = try rows(statement, parameters)
  }

  /// Begins the transaction. An idle connection may have been closed by the server: then it is replaced, once.
  private func first(
    _ statement: ServerStatement,
    _ parameters: ParameterBuffer
  ) throws(PostgreSQLError) -> ResultRows {
    if let idle = connection, idle.pipeline.failure == nil {
      do throws(PostgreSQLError) {
        return try begin(with: statement, parameters, on: idle)
      } catch  where error.code != .connectionLost {
        throw error
      } catch {}
    }
    guard let connector else { throw PostgreSQLError(.connectionLost, message: "The connection was lost.") }
    let opened = BlockingConnection(try connector.connect(), timeout: timeout)
    connection = opened
    return try begin(with: statement, parameters, on: opened)
  }

  private func begin(
    with statement: ServerStatement,
    _ parameters: ParameterBuffer,
    on connection: BlockingConnection
  ) throws(PostgreSQLError) -> ResultRows {
    isReading = true
    let batch = Batch()
    batch.append(.beginSnapshot)
    batch.append(statement, parameters)
    return try connection.run(batch)[1]
  }

  func endRead() {
    guard isReading else { return }
    isReading = false
    failure = nil
    let batch = Batch()
    batch.append(.commit)
    connection?.submit(batch)
  }
}
