/// The commands that a connection has sent and whose results have not come, oldest first. Pure: it pairs the results
/// that libpq reports with the commands.
///
/// A command's results are at most one result and its end. After an error, the server skips the commands up to the next
/// synchronization point, and libpq reports them as aborted.
struct PipelineState {
  enum Command: Equatable {
    /// Prepares the statement of a slot for the command that follows.
    case prepare(slot: Int)
    case execute
    /// A synchronization point, after a preparation or at the end of a batch.
    case synchronize(endsBatch: Bool)
  }

  /// What libpq reports.
  enum Report {
    /// The result of a statement that was executed or prepared.
    case success
    case error
    /// The command was skipped because of an earlier error.
    case aborted
    /// The results of a command are complete: libpq returned no result.
    case end
    case synchronized
  }

  /// What the owner must do with the report.
  enum Step: Equatable {
    /// The result belongs to the first statement of the oldest batch that has no result.
    case result
    /// The oldest batch has failed with the reported error, because the statement of the slot cannot be prepared.
    case notPrepared(slot: Int)
    /// The oldest batch has failed with the reported error.
    case failed
    /// The oldest batch is complete.
    case batchDone
    case nothing
    /// The peer has sent what no server sends. The connection must be closed.
    case violation
  }

  private var commands: [Command] = []
  /// The first `taken` commands are done.
  private var taken = 0
  private var hasResult = false

  /// The number of commands that are kept, with those that are done.
  var keptCount: Int { commands.count }

  /// Whether every command's results have come.
  var isEmpty: Bool { taken == commands.count }

  mutating func send(_ command: Command) { commands.append(command) }

  mutating func receive(_ report: Report) -> Step {
    guard taken < commands.count else { return report.isEnd ? .nothing : .violation }
    let command = commands[taken]
    switch (report, command) {
    case (.synchronized, .synchronize(let endsBatch)):
      advance()
      return endsBatch ? .batchDone : .nothing
    case (.synchronized, _), (_, .synchronize):
      // The end of the results of a synchronization point is not reported, but harmless.
      return report.isEnd ? .nothing : .violation
    case (.end, _):
      guard hasResult else { return .violation }
      advance()
      return .nothing
    case (.success, .execute): return takeResult(.result)
    case (.success, .prepare): return takeResult(.nothing)
    case (.aborted, .execute): return takeResult(.nothing)
    case (.error, .execute):
      // An error can follow a result: a constraint that is checked at the end of the statement.
      hasResult = true
      return .failed
    case (.error, .prepare(let slot)), (.aborted, .prepare(let slot)): return takeResult(.notPrepared(slot: slot))
    }
  }

  private mutating func takeResult(_ step: Step) -> Step {
    guard !hasResult else { return .violation }
    hasResult = true
    return step
  }

  private mutating func advance() {
    hasResult = false
    taken += 1
    if taken == commands.count {
      commands.removeAll(keepingCapacity: true)
      taken = 0
    } else if taken > 256 {
      commands.removeFirst(taken)
      taken = 0
    }
  }
}

extension PipelineState.Report {
  fileprivate var isEnd: Bool { if case .end = self { true } else { false } }
}
