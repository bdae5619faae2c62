import GraphQL
import Storage

/// One execution of a mutation with an idempotency key.
///
/// Every root field is a transaction of its own, or several. Each inserts a row with its step: the number of the root
/// field and of the write within it. A process that ends between two root fields, or before the response is stored,
/// therefore leaves the rows of exactly the writes that were committed. When the request is repeated, the mutations run
/// again, and a write with a row is skipped: its mutation receives the stored outcome and goes on.
///
/// Confined to its request.
final class IdempotentRun {
  /// The step of the row with the response.
  static let responseStep: Int64 = 0
  private static let writesPerField: Int64 = 1000

  /// See `IdempotentWrite.key`.
  let key: [UInt8]
  private let person: GlobalID?
  private let fingerprint: [UInt8]
  private let lastErasure: [UInt8]?
  private let now: Int64
  private let running: RunningRequests
  private var isRunning = true
  /// The outcomes of the writes of an earlier execution.
  private var outcomes: [Int64: [UInt8]]
  private var field: Int64 = 0
  private var write: Int64 = 0
  private var isInField = false
  /// The steps that have a row, of this execution and of earlier ones.
  private var steps: Set<Int64>
  /// Whether anything is stored with the key.
  private(set) var hasWritten = false
  /// Whether a root field failed. A repeated request executes it again.
  private var hasFailed = false
  /// Whether the response contains tokens, which are never stored.
  var hasSecrets = false

  /// `running` must contain the key. The run removes it.
  ///
  /// - Parameter lastErasure: the value of `IdempotentWrite.lastErasure`, read before all that the response contains.
  init(
    _ key: [UInt8],
    of person: GlobalID?,
    _ fingerprint: [UInt8],
    outcomes: [Int64: [UInt8]],
    lastErasure: [UInt8]?,
    at now: Int64,
    _ running: RunningRequests
  ) {
    self.key = key
    self.person = person
    self.fingerprint = fingerprint
    self.outcomes = outcomes
    steps = Set(outcomes.keys)
    self.lastErasure = lastErasure
    self.now = now
    self.running = running
  }

  deinit { end() }

  func end() {
    if isRunning { running.end(key) }
    isRunning = false
  }

  /// Whether the response is stored. A request that wrote nothing leaves nothing, and is executed again if repeated.
  var keepsResponse: Bool { hasWritten && !hasFailed && !hasSecrets }

  // MARK: Root fields

  func beginField() {
    field += 1
    write = 0
    isInField = true
  }

  /// Throws if the root field was executed before and took another way this time, for example because a check before
  /// its write now fails.
  func endField() throws(FieldError) {
    isInField = false
    if repeatsField {
      hasFailed = true
      throw .responseNotKept
    }
  }

  func failField() {
    isInField = false
    hasFailed = true
  }

  /// Whether the current root field has outcomes that were not used yet.
  var repeatsField: Bool {
    let first = field * Self.writesPerField
    return outcomes.keys.contains { $0 > first && $0 < first + Self.writesPerField }
  }

  // MARK: Writes

  enum Step {
    /// The write was committed before.
    case repeated([UInt8])
    case new(Int64)
  }

  /// The next write; nil outside of the root fields' own code. Fields below them write what may be repeated.
  func nextStep() throws(FieldError) -> Step? {
    guard isInField else { return nil }
    write += 1
    guard write < Self.writesPerField else { throw .responseNotKept }
    let step = field * Self.writesPerField + write
    guard let outcome = outcomes.removeValue(forKey: step) else { return .new(step) }
    hasWritten = true
    return .repeated(outcome)
  }

  /// Called after the commit of a write.
  func didWrite(_ step: Int64) {
    steps.insert(step)
    hasWritten = true
  }

  /// Whether other processes on the database can have executed a part of the request. No other one has if all writes
  /// of its only root field were committed here, because two rows of a step exclude each other.
  var canBeExecutedElsewhere: Bool { !keepsResponse || field > 1 }

  /// - Parameter stored: the steps that have a row now.
  func isExecutedElsewhere(_ stored: Set<Int64>) -> Bool { !stored.isSubset(of: steps) }

  /// Inserts the row of a write, in the write's transaction.
  func recording(_ step: Int64) -> @Sendable (_ outcome: [UInt8], WriteTransaction) throws -> Void {
    let begun = row(of: step, outcome: nil)
    return { outcome, transaction in
      var row = begun
      row.outcome = outcome
      try transaction.run(IdempotentWrite.table.insert, row)
    }
  }

  /// Inserts the row of the response, unless someone was erased since the run began.
  func keeping(_ response: [UInt8]) -> @Sendable (WriteTransaction) throws -> Void {
    let (row, lastErasure) = (row(of: Self.responseStep, outcome: response), lastErasure)
    return { transaction in
      try transaction.run(IdempotentWrite.insertResponse, (row: row, lastErasure: lastErasure))
    }
  }

  private func row(of step: Int64, outcome: [UInt8]?) -> IdempotentWrite {
    IdempotentWrite(
      key: key,
      step: step,
      person: person,
      request: fingerprint,
      createdAt: Timestamp(now),
      outcome: outcome
    )
  }
}

extension FieldError {
  static let responseNotKept = FieldError(
    "This request was executed before, and its response was not kept. Read what you need instead of repeating it.",
    code: .responseNotKept
  )
}

extension ErrorCode {
  static let idempotencyKeyReused = ErrorCode(rawValue: "IDEMPOTENCY_KEY_REUSED")
  static let idempotentRequestRunning = ErrorCode(rawValue: "IDEMPOTENT_REQUEST_RUNNING")
  static let responseNotKept = ErrorCode(rawValue: "RESPONSE_NOT_KEPT")
}
