import Basics

/// The statements of a reader that does not answer at once.
///
/// Work that reads is done in passes. In the first pass its statements have no answers, and therefore no rows. The
/// reader collects them, has them answered together, and the work is done again: then the statements find their
/// answers. A statement is recognised by its text and its parameters. That suffices, because the data does not change
/// within a snapshot.
@usableFromInline final class DeferredReads: StatementSource {
  private struct Question: Hashable {
    let slot: Int
    let parameters: ParameterBytes
  }

  private let engine: any StatementAnswering
  private let loopTurn: LoopTurn
  /// What the reads since `endRead` may still take of the loop's time.
  @usableFromInline var turn: DeferredTurn
  private var asked: [Question: AskedStatement] = [:]
  private var unanswered: [AskedStatement] = []
  /// The statements of the current pass, which the next pass uses again.
  private var statements: [DeferredStatement] = []
  private var usedStatements = 0
  private var isInPass = false
  /// Whether a statement of the current pass has no answer yet.
  private(set) var isWaiting = false
  var isSearching = false
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
  func rows(of sql: StatementText, _ parameters: ParameterBytes) throws(DatabaseError) -> (any AnsweredRows)? {
    let question = Question(slot: sql.slot, parameters: parameters)
    if let answer = asked[question]?.answer {
      let rows = try answer.get()
      turn.read(rows.count)
      try requireTime(for: sql)
      return rows
    }
    isWaiting = true
    if asked[question] == nil {
      turn.ask()
      try requireTime(for: sql)
      let statement = AskedStatement(sql, parameters, isSearch: isSearching)
      asked[question] = statement
      unanswered.append(statement)
    }
    return nil
  }

  /// Ends a call that is repeated on another thread.
  private func requireTime(for sql: StatementText) throws(DatabaseError) {
    guard turn.isOverdue, !turn.isPatient else { return }
    throw DatabaseError(.budgetExceeded, message: "The request takes too long for the loop.", sql: sql.text)
  }

  /// Whether the reads since `endRead` have used their whole budget.
  var isExhausted: Bool { engine.isExhausted }

  func answers() async {
    let statements = unanswered
    unanswered = []
    guard !statements.isEmpty else { return }
    let start = recorder == nil ? 0 : RequestTrace.now
    await engine.answer(statements)
    let rows = statements.reduce(0) { $0 + ((try? $1.answer?.get())?.count ?? 0) }
    turn.receive(rows)
    recorder?.add(.statements, since: start, count: statements.count, rows: rows)
  }

  /// Releases the answers. A statement that is repeated is then executed again.
  func forgetAnswers() { if !asked.isEmpty { asked.removeAll(keepingCapacity: true) } }

  func endRead() {
    forgetAnswers()
    unanswered = []
    turn = DeferredTurn(loopTurn)
    engine.endRead()
  }
}
