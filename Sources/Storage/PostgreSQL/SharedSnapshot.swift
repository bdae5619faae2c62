import PostgreSQL

/// A snapshot in which requests of a loop read on one connection. Confined to the loop.
///
/// What its requests ask for at the same time is one batch, so that they share round trips: half of what a request
/// costs the loop without it is writing to a socket, waking a process of the server, and reading from the socket. All
/// requests have begun before the snapshot, so that each sees what was committed before it began.
final class SharedSnapshot {
  let connection: LoopConnection
  private let whenEmpty: (SharedSnapshot) -> Void
  /// The number of requests that read in the snapshot.
  private var members = 0
  /// The number of requests that have answers and have neither asked again nor ended.
  private var working = 0
  /// What has been asked for and not been sent.
  private var asked: [Inquiry] = []
  /// The version of the snapshot, if a request must know it, and the server has answered.
  private(set) var version: ServerVersion.Snapshot?
  /// Where it is in the results of the first batch, until that is answered.
  private var versionIndex: Int?
  /// Whether a statement has failed. The server executes and prepares no further ones.
  private(set) var hasFailed = false

  /// - Parameter whenEmpty: called when the last request has ended.
  init(_ connection: LoopConnection, whenEmpty: @escaping (SharedSnapshot) -> Void) {
    self.connection = connection
    self.whenEmpty = whenEmpty
  }

  /// Begins the snapshot with what its requests ask for first.
  func begin(with first: [Inquiry]) {
    members = first.count
    for inquiry in first { inquiry.snapshot = self }
    let batch = Batch()
    // The snapshot of earlier requests: see `LoopConnections`.
    if connection.hasSnapshot { batch.append(.commit) }
    connection.hasSnapshot = true
    batch.append(.beginSnapshot)
    if first.contains(where: \.isVersioned) {
      versionIndex = batch.append(ServerVersion.Snapshot.statement.server)
    }
    send(first, in: batch)
  }

  /// Sends the statements as soon as all requests that have answers have asked again, or ended.
  func ask(_ inquiry: Inquiry) {
    inquiry.snapshot = self
    if let failure = connection.failure { return inquiry.end(.failed(failure)) }
    if hasFailed { return inquiry.end(.interrupted) }
    working -= 1
    asked.append(inquiry)
    if working == 0 { flush() }
  }

  /// Ends the reading of a request that has answers.
  func leave() {
    members -= 1
    working -= 1
    if members == 0 {
      whenEmpty(self)
    } else if working == 0 {
      flush()
    }
  }

  /// Sends what has been asked for, without waiting for the requests that have not asked again.
  func flush() {
    guard !asked.isEmpty else { return }
    let inquiries = asked
    asked = []
    send(inquiries, in: Batch())
  }

  private func send(_ inquiries: [Inquiry], in batch: Batch) {
    let now = ContinuousClock.now
    for inquiry in inquiries {
      let start = batch.count
      for entry in inquiry.entries { batch.append(entry) }
      inquiry.range = start..<batch.count
      inquiry.sentAt = now
    }
    connection.ask(batch, at: now) { [self] in didAnswer(batch, of: inquiries) }
  }

  private func didAnswer(_ batch: Batch, of inquiries: [Inquiry]) {
    working += inquiries.count
    guard let failure = batch.failure else {
      if let versionIndex { version = ServerVersion.Snapshot(batch.results[versionIndex]) }
      versionIndex = nil
      for inquiry in inquiries { inquiry.end(.answered(batch)) }
      return
    }
    // What was sent after the failed statement has failed because of it.
    let cause = hasFailed ? nil : batch.results.count
    hasFailed = true
    for inquiry in inquiries {
      let isOwn = connection.failure != nil || members == 1 || inquiry.isCause(of: failure, at: cause)
      inquiry.end(isOwn ? .failed(failure) : .interrupted)
    }
  }
}

extension Inquiry {
  /// - Parameter index: that of the first statement of the batch that has no result. Statements are prepared before the
  ///   first one is executed, so that it need not be the one that has failed.
  fileprivate func isCause(of failure: PostgreSQLError, at index: Int?) -> Bool {
    guard let index, range.contains(index) else { return false }
    return entries[index - range.lowerBound].statement.text == failure.sql
  }
}
