/// A statement that waits for its answer, or has it.
final class AskedStatement {
  let sql: StatementText
  let parameters: ParameterBytes
  /// Whether it is a full-text search: see `Reader.searching`.
  let isSearch: Bool
  /// Whether it was asked for ahead of the level that needs it: see `Reader.askAhead`.
  var isAhead = false
  /// Nil until the statement is answered. A failed statement is answered by its error.
  var answer: Result<AnsweredRows, DatabaseError>?

  init(_ sql: StatementText, _ parameters: ParameterBytes, isSearch: Bool) {
    self.sql = sql
    self.parameters = parameters
    self.isSearch = isSearch
  }
}

/// Answers the deferred statements of one reader. All answers until `endRead` are of one snapshot.
protocol StatementAnswering: AnyObject {
  /// Sets the answer of every statement. Returns false, and sets none, if the snapshot is lost: the caller must end the
  /// reading, and read everything again.
  ///
  /// - Parameter canBeginAgain: whether the caller can do that. Only then the snapshot can be lost.
  func answer(_ statements: [AskedStatement], canBeginAgain: Bool) async -> Bool

  /// Releases the snapshot.
  func endRead()

  /// Whether the snapshot's budget is used up.
  var isExhausted: Bool { get }

  /// Begins to record what is read. Returns false if no versions are known.
  func beginVersionedRead() -> Bool

  /// Records that the answer of a statement is used.
  func note(_ sql: StatementText, _ parameters: ParameterBytes)

  /// The version of what was read since `beginVersionedRead`; nil if it is not known.
  var version: ServerVersion? { get }
}

extension StatementAnswering {
  func beginVersionedRead() -> Bool { false }
  func note(_ sql: StatementText, _ parameters: ParameterBytes) {}
  var version: ServerVersion? { nil }
}

/// The statements that a reader has asked for. The few of a request are compared faster than hashed.
struct AskedStatements {
  private struct Question: Hashable {
    let slot: Int
    let parameters: ParameterBytes
  }

  private static let maximumCompared = 16

  private var all: [AskedStatement] = []
  /// All statements if they are more than `maximumCompared`.
  private var hashed: [Question: AskedStatement] = [:]

  func find(_ sql: StatementText, _ parameters: ParameterBytes) -> AskedStatement? {
    guard hashed.isEmpty else { return hashed[Question(slot: sql.slot, parameters: parameters)] }
    return all.first { $0.sql.slot == sql.slot && $0.parameters == parameters }
  }

  mutating func append(_ statement: AskedStatement) {
    all.append(statement)
    guard all.count > Self.maximumCompared else { return }
    for statement in hashed.isEmpty ? all[...] : all.suffix(1) {
      hashed[Question(slot: statement.sql.slot, parameters: statement.parameters)] = statement
    }
  }

  /// Removes all statements but those that were asked for ahead, which are no longer ahead then.
  mutating func advance() {
    guard all.contains(where: \.isAhead) else { return removeAll() }
    let kept = all.filter(\.isAhead)
    removeAll()
    for statement in kept {
      statement.isAhead = false
      append(statement)
    }
  }

  mutating func removeAll() {
    guard !all.isEmpty else { return }
    all.removeAll(keepingCapacity: true)
    if !hashed.isEmpty { hashed.removeAll(keepingCapacity: true) }
  }
}
