/// What happened in one request, for a trace. It is only recorded here; spans are made of it after the response.
///
/// A request that is not traced has no such object, so that tracing costs one branch where something is recorded.
///
/// `@unchecked Sendable`: the request has it until its end, and passes it from thread to thread as its own state. Then
/// nothing changes any more.
package final class RequestTrace: @unchecked Sendable {
  package enum Work: UInt8, Sendable {
    /// Parsing and validating a document, unless it was cached.
    case preparation
    /// Planning an operation, unless its plan was cached.
    case planning
    /// The resolvers of one level. The number is that of the objects that they returned.
    case level
    /// The statements that read for one level, or those of one round trip. The number is that of the statements.
    case statements
    /// Waiting for the thread that writes.
    case writeWait
    /// A write from its first statement to its commit, which other writes may share. The number is that of statements.
    case write
  }

  /// In 32 bytes: the steps of a usual request then are in one of the small blocks that the allocator has ready.
  package struct Step: Sendable {
    package let start: UInt64
    /// 0 if the step did not end, for example because the execution moved to another thread.
    package fileprivate(set) var end: UInt64
    private var storedCount: Int32
    private var storedRows: Int32
    /// -1 for the request itself.
    private let storedParent: Int16
    package let work: Work
    package fileprivate(set) var hasFailed: Bool

    fileprivate init(
      _ work: Work,
      parent: Int?,
      start: UInt64,
      end: UInt64 = 0,
      count: Int = 0,
      rows: Int = 0,
      hasFailed: Bool = false
    ) {
      self.work = work
      storedParent = Int16(clamping: parent ?? -1)
      self.start = start
      self.end = end
      storedCount = Int32(clamping: count)
      storedRows = Int32(clamping: rows)
      self.hasFailed = hasFailed
    }

    /// The index of the step that contains it; nil for the request itself.
    package var parent: Int? { storedParent < 0 ? nil : Int(storedParent) }

    package fileprivate(set) var count: Int {
      get { Int(storedCount) }
      set { storedCount = Int32(clamping: newValue) }
    }

    /// The rows that statements returned; for a level its number, from 1.
    package var rows: Int { Int(storedRows) }
  }

  /// Further steps are only counted, which bounds the memory of a trace.
  private static let maximumSteps = 200

  package let context: TraceContext
  /// The span of the client's program in which the request was sent.
  package let parent: TraceContext?
  /// Further data of tracing systems, which is passed on.
  package var state: String?
  package let start: UInt64
  /// The method of the HTTP request; empty for the operations of WebSockets.
  package let method: StaticString
  package let route: String
  /// The kind of database that statements are of, such as `sqlite`; empty if it is not known.
  package var database: StaticString = ""
  package private(set) var steps: [Step] = []
  /// The number of steps that were not recorded.
  package private(set) var omittedSteps = 0

  // The outcome, set at the end.
  package private(set) var end: UInt64 = 0
  package var operation: String?
  /// `query`, `mutation` or `subscription`; empty if the document is not valid.
  package var operationType: StaticString = ""
  /// The code of the first error; nil without one.
  package var errorCode: String?
  /// Whether the server is at fault.
  package var hasFailed = false
  package var responseBytes = 0
  /// What a tracing system of a library's user has made of the request.
  package var attachment: (any Sendable)?

  private var openLevel: Int?
  private var levels = 0
  /// The statements of the open level.
  private var statements = 0
  private var rows = 0
  private var statementsBeganAt: UInt64 = 0
  /// The start of the open level until its first statement or its first wait; otherwise 0. That statement begins then,
  /// which saves reading the clock for each level.
  private var levelBeganAt: UInt64 = 0
  /// 0 until the body of a write runs.
  private var writeBeganAt: UInt64 = 0

  package init(
    _ context: TraceContext,
    parent: TraceContext?,
    state: String?,
    method: StaticString,
    route: String
  ) {
    self.context = context
    self.parent = parent
    self.state = state
    self.method = method
    self.route = route
    start = MonotonicClock.nanoseconds
    steps.reserveCapacity(16)
  }

  package func finish() {
    let now = MonotonicClock.nanoseconds
    closeLevel(at: now)
    end = now
  }

  @discardableResult
  private func append(_ step: Step) -> Int? {
    guard steps.count < Self.maximumSteps else {
      omittedSteps += 1
      return nil
    }
    steps.append(step)
    return steps.count - 1
  }

  /// Records work that began at `start` and ends now.
  package func add(
    _ work: Work,
    since start: UInt64,
    until end: UInt64 = MonotonicClock.nanoseconds,
    count: Int = 0,
    rows: Int = 0,
    hasFailed: Bool = false
  ) {
    append(Step(work, parent: openLevel, start: start, end: end, count: count, rows: rows, hasFailed: hasFailed))
  }
}

/// The levels of an execution.
extension RequestTrace {
  /// Begins with the root fields. A mutation does so for each of them.
  package func beginLevels() {
    let now = MonotonicClock.nanoseconds
    closeLevel(at: now)
    levels = 0
    openLevel(at: now)
  }

  /// Called when everything that the level reads has been read, and before the request waits for something else.
  package func levelDidRead() {
    levelBeganAt = 0
    guard statements > 0 else { return }
    add(.statements, since: statementsBeganAt, count: statements, rows: rows)
    (statements, rows) = (0, 0)
  }

  /// - Parameters:
  ///   - objects: the number of objects that the level returned.
  ///   - hasNext: whether resolvers are called for them.
  package func endLevel(objects: Int, hasNext: Bool) {
    let now = MonotonicClock.nanoseconds
    if let openLevel { steps[openLevel].count = objects }
    closeLevel(at: now)
    if hasNext { openLevel(at: now) }
  }

  private func openLevel(at now: UInt64) {
    levels += 1
    openLevel = append(Step(.level, parent: nil, start: now, rows: levels))
    levelBeganAt = now
  }

  private func closeLevel(at now: UInt64) {
    if let openLevel { steps[openLevel].end = now }
    openLevel = nil
    levelBeganAt = 0
    (statements, rows) = (0, 0)
  }
}

/// Statements that are answered at once.
extension RequestTrace {
  package func statementDidBegin() {
    if statements == 0 {
      statementsBeganAt = levelBeganAt == 0 ? MonotonicClock.nanoseconds : levelBeganAt
      levelBeganAt = 0
    }
    statements += 1
  }

  package func count(rows: Int) { self.rows += rows }
}

/// Writes. The request waits for the thread that writes, which has the trace meanwhile.
extension RequestTrace {
  /// Called before the write is queued.
  package func writeWillBegin() {
    levelDidRead()
    writeBeganAt = 0
  }

  /// Called when the body of the write runs, which can be more than once.
  package func writeDidBegin() {
    writeBeganAt = MonotonicClock.nanoseconds
    (statements, rows, levelBeganAt) = (0, 0, 0)
  }

  /// - Parameter start: when the write was queued.
  package func writeDidEnd(since start: UInt64, hasFailed: Bool) {
    let now = MonotonicClock.nanoseconds
    let began = writeBeganAt == 0 ? now : writeBeganAt
    add(.writeWait, since: start, until: began, hasFailed: hasFailed && writeBeganAt == 0)
    if writeBeganAt > 0 { add(.write, since: began, until: now, count: statements, hasFailed: hasFailed) }
    (statements, rows) = (0, 0)
  }
}
