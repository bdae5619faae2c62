import Basics

/// The statements of a reader that does not answer at once.
///
/// Work that reads is done in passes. In the first pass its statements have no answers, and therefore no rows. The
/// reader collects them, has them answered together, and the work is done again: then the statements find their
/// answers. A statement is recognised by its text and its parameters. That suffices, because the data does not change
/// within a snapshot.
@usableFromInline final class DeferredReads: StatementSource {
  private let engine: any StatementAnswering
  private let loopTurn: LoopTurn
  /// What the reads since `endRead` may still take of the loop's time.
  @usableFromInline var turn: DeferredTurn
  private var asked = AskedStatements()
  private var unanswered: [AskedStatement] = []
  /// The statements of the current pass, which the next pass uses again.
  private var statements: [DeferredStatement] = []
  private var usedStatements = 0
  private var isInPass = false
  private var isAhead = false
  /// Whether a statement of the current pass has no answer yet.
  private(set) var isWaiting = false
  var isSearching = false
  /// Whether the statements belong to a check that every request makes, such as that of its session. They are answered
  /// although the request is overdue, and are not a part of the versioned read.
  private var isChecking = false
  /// Nil if the request is not traced.
  var recorder: RequestTrace?

  init(_ engine: any StatementAnswering, turn: LoopTurn) {
    self.engine = engine
    loopTurn = turn
    self.turn = DeferredTurn(turn)
  }

  func beginPass() {
    isInPass = true
    isWaiting = false
    usedStatements = 0
  }

  /// Returns whether the pass must be repeated after `answers()`.
  func endPass() -> Bool {
    isInPass = false
    return isWaiting
  }

  func askAhead(_ body: () -> Void) {
    let wasWaiting = isWaiting
    beginPass()
    isAhead = true
    body()
    isAhead = false
    _ = endPass()
    isWaiting = wasWaiting
  }

  func statement(_ sql: StatementText) throws(DatabaseError) -> Statement {
    // Without answers the caller would take no rows for an answer.
    guard isInPass else {
      throw DatabaseError(.misuse, message: "This reader does not answer at once: read in a pass.", sql: sql.text)
    }
    if usedStatements == statements.count {
      statements.append(DeferredStatement(sql, of: self))
    } else {
      statements[usedStatements].reuse(for: sql)
    }
    defer { usedStatements += 1 }
    return Statement(statements[usedStatements])
  }

  /// The rows of the answer; nil before the answer has arrived.
  func rows(of sql: StatementText, _ parameters: ParameterBytes) throws(DatabaseError) -> AnsweredRows? {
    let known = asked.find(sql, parameters)
    if !isChecking { engine.note(sql, parameters) }
    if let answer = known?.answer {
      let rows = try answer.get()
      turn.read(rows.count)
      try requireTime(for: sql)
      return rows
    }
    isWaiting = true
    if known == nil {
      turn.ask()
      try requireTime(for: sql)
      let statement = AskedStatement(sql, parameters, isSearch: isSearching)
      statement.isAhead = isAhead
      asked.append(statement)
      unanswered.append(statement)
    }
    return nil
  }

  /// Ends a call that is repeated on another thread.
  private func requireTime(for sql: StatementText) throws(DatabaseError) {
    guard turn.isOverdue, !turn.hasNoTimeLimit, !isChecking else { return }
    throw DatabaseError(.budgetExceeded, message: "The request takes too long for the loop.", sql: sql.text)
  }

  func checking<Result>(_ body: () throws -> Result) rethrows -> Result {
    isChecking = true
    defer { isChecking = false }
    return try body()
  }

  /// See `StatementAnswering`.
  func beginVersionedRead() -> Bool { engine.beginVersionedRead() }
  var version: ServerVersion? { engine.version }

  /// Whether the reads since `endRead` have used their whole budget.
  var isExhausted: Bool { engine.isExhausted }

  /// Returns false if the snapshot is lost: see `StatementAnswering.answer`.
  func answers(canBeginAgain: Bool) async -> Bool {
    guard !unanswered.isEmpty else { return true }
    let statements = unanswered
    unanswered = []
    let start = recorder == nil ? 0 : MonotonicClock.nanoseconds
    guard await engine.answer(statements, canBeginAgain: canBeginAgain) else { return false }
    var rows = 0
    for statement in statements { if case .success(let answer) = statement.answer { rows += answer.count } }
    turn.receive(rows)
    recorder?.add(.statements, since: start, count: statements.count, rows: rows)
    return true
  }

  /// Releases the answers, but not those that were asked for ahead since the last call. A statement that is repeated is
  /// then executed again.
  func forgetAnswers() { asked.advance() }

  func endRead() {
    asked.removeAll()
    unanswered = []
    turn = DeferredTurn(loopTurn)
    engine.endRead()
  }
}
