import PostgreSQL

/// Answers the statements of a request by a PostgreSQL server: those of one pass in one round trip, all of them from
/// one snapshot.
final class PipelineAnswers: StatementAnswering {
  private let connections: LoopConnections
  /// Not nil while the request reads.
  private var snapshot: SharedSnapshot?
  private var budget: ServerReadBudget
  /// The error that ended the snapshot. All further statements fail with it.
  private var failure: DatabaseError?

  /// Nil if no versions are known.
  private let use: ServerTableUse?
  /// Not nil while the request records what it reads.
  private var record: VersionedRead?

  private let report: (DatabaseError) -> Void
  /// Not nil if statements are measured.
  private let trace: ServerTrace?

  /// - Parameter report: called with errors.
  init(
    _ connections: LoopConnections,
    limits: DatabaseLimits,
    use: ServerTableUse?,
    trace: ServerTrace?,
    report: @escaping (DatabaseError) -> Void
  ) {
    self.use = use
    self.trace = trace
    self.connections = connections
    self.report = report
    budget = ServerReadBudget(limits)
  }

  var isExhausted: Bool { budget.isExhausted }

  func answer(_ statements: [AskedStatement], canBeginAgain: Bool) async -> Bool {
    do throws(DatabaseError) {
      if let failure { throw failure }
      guard let inquiry = try await inquiry(about: statements, canBeginAgain: canBeginAgain) else { return false }
      try take(inquiry, for: statements)
    } catch {
      if failure == nil { report(error) }
      failure = error
      for statement in statements { statement.answer = .failure(error) }
    }
    return true
  }

  private func take(_ inquiry: Inquiry, for statements: [AskedStatement]) throws(DatabaseError) {
    guard case .answered(let batch) = inquiry.outcome, let start = inquiry.sentAt else { return }
    let results = batch.results[inquiry.range]
    try budget.use(results, since: start)
    for (statement, rows) in zip(statements, results) {
      statement.answer = .success(try AnsweredRows(rows, of: statement.sql))
    }
    guard let trace, !batch.resultTimes.isEmpty else { return }
    for (statement, index) in zip(statements, inquiry.range) {
      let before = index == 0 ? start : batch.resultTimes[index - 1]
      trace.add(statement.sql, duration: batch.resultTimes[index] - before)
    }
  }

  /// What was answered; nil if the snapshot is lost because of another request.
  private func inquiry(
    about statements: [AskedStatement],
    canBeginAgain: Bool
  ) async throws(DatabaseError) -> Inquiry? {
    let entries = try Self.entries(of: statements)
    do throws(PostgreSQLError) {
      guard let snapshot else { return try await first(entries, canBeginAgain: canBeginAgain) }
      let inquiry = Inquiry(entries, isShareable: canBeginAgain)
      snapshot.ask(inquiry)
      await inquiry.wait()
      if case .failed(let failure) = inquiry.outcome { throw failure }
      if case .interrupted = inquiry.outcome { return nil }
      return inquiry
    } catch {
      throw DatabaseError(error)
    }
  }

  /// Begins a snapshot. As long as nothing has been answered, another one does.
  private func first(_ entries: [Batch.Entry], canBeginAgain: Bool) async throws(PostgreSQLError) -> Inquiry {
    var isShareable = canBeginAgain
    var hasLostConnection = false
    while true {
      let inquiry = Inquiry(entries, isShareable: isShareable, isVersioned: record != nil)
      try await connections.answer(inquiry)
      snapshot = inquiry.snapshot
      switch inquiry.outcome {
      case .answered, nil: return inquiry
      case .interrupted:
        endRead()
        isShareable = false
      case .failed(let error):
        guard error.isFatal else { throw error }
        endRead()
        connections.closeIdle()
        // The server may have closed an idle connection, and then the others too. A server that does not answer in
        // time is not asked again.
        guard error.code == .connectionLost, !hasLostConnection else { throw error }
        hasLostConnection = true
      }
    }
  }

  private static func entries(of statements: [AskedStatement]) throws(DatabaseError) -> [Batch.Entry] {
    var entries: [Batch.Entry] = []
    entries.reserveCapacity(statements.count)
    for asked in statements {
      entries.append(Batch.Entry(asked.sql.server, try ParameterBuffer(asked.parameters, of: asked.sql.server)))
    }
    return entries
  }

  func beginVersionedRead() -> Bool {
    record = use == nil ? nil : VersionedRead()
    return record != nil
  }

  func note(_ sql: StatementText, _ parameters: ParameterBytes) {
    if let use { record?.add(sql, parameters, by: use) }
  }

  var version: ServerVersion? {
    guard failure == nil, let partitions = record?.partitions, let snapshot = snapshot?.version else { return nil }
    return ServerVersion(snapshot: snapshot, partitions: partitions)
  }

  func endRead() {
    failure = nil
    budget.restart()
    // What follows is read in another snapshot.
    if record?.hasRead == true { record = nil }
    guard let snapshot else { return }
    self.snapshot = nil
    snapshot.leave()
  }
}
