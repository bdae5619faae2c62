/// Statements that are sent together and end with a synchronization point: one round trip. After a statement that
/// fails, the others of the batch are not executed. Statements outside of a transaction that the batch began are one
/// transaction.
package final class Batch {
  package struct Entry {
    package let statement: ServerStatement
    let parameters: ParameterBuffer

    package init(_ statement: ServerStatement, _ parameters: ParameterBuffer) {
      self.statement = statement
      self.parameters = parameters
    }
  }

  private(set) var entries: [Entry] = []
  /// The results of the statements, in their order. Complete once `isDone` and `failure` is nil.
  package private(set) var results: [ResultRows] = []
  /// When the results arrived, if the connection measures.
  package private(set) var resultTimes: [ContinuousClock.Instant] = []
  /// The first error, after which no further statement was executed.
  package private(set) var failure: PostgreSQLError?
  package private(set) var isDone = false
  /// Called when the outcome is known. It may submit further batches.
  var whenDone: (() -> Void)?

  package init() {}

  package var count: Int { entries.count }

  /// Appends a statement and returns its index in `results`.
  @discardableResult
  package func append(_ statement: ServerStatement, _ parameters: ParameterBuffer = ParameterBuffer()) -> Int {
    append(Entry(statement, parameters))
  }

  @discardableResult
  package func append(_ entry: Entry) -> Int {
    entries.append(entry)
    return entries.count - 1
  }

  /// Appends a statement without parameters that is parsed each time, such as BEGIN.
  @discardableResult
  package func append(_ text: String) -> Int { append(ServerStatement(text)) }

  /// The slot of the statement whose result is received next; nil if it is not prepared.
  var nextSlot: Int? { results.count < entries.count ? entries[results.count].statement.slot : nil }

  /// Why the batch cannot be sent: a fault of the program.
  var misuse: PostgreSQLError? {
    for index in entries.indices {
      let count = entries[index].parameters.count
      let types = entries[index].statement.types.count
      guard count > 65_535 || (types > 0 && types != count) else { continue }
      return PostgreSQLError(
        .misuse,
        message: "\(count) parameters for a statement of \(types).",
        sql: entries[index].statement.text
      )
    }
    return nil
  }

  /// - Parameter time: nil if the connection does not measure (`ConnectionOptions.measuresResults`).
  func receive(_ rows: ResultRows, at time: ContinuousClock.Instant?) {
    if results.isEmpty { results.reserveCapacity(entries.count) }
    results.append(rows)
    if let time { resultTimes.append(time) }
  }

  /// Records the first error; those that follow from it are not errors of their own.
  func fail(_ error: PostgreSQLError) {
    if failure == nil { failure = error }
  }

  func finish() {
    guard !isDone else { return }
    isDone = true
    let action = whenDone
    whenDone = nil
    action?()
  }
}
