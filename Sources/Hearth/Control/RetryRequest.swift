import Storage

/// A command that sends entries of a queue now: one by its number, all that are tried again later, or all that failed.
protocol RetryRequest: ServedCommand {
  /// The parts of the queue, whose entries that are tried again later each have an index.
  associatedtype Part: CaseIterable & Sendable

  /// What the entries are called in sentences for operators.
  static var noun: String { get }
  static var allRetried: SQL<(part: Part, now: Timestamp)> { get }
  static var allFailed: SQL<(now: Timestamp, limit: Int64)> { get }
  static var one: SQL<(number: Int64, now: Timestamp)> { get }

  /// The number of an entry; nil for all that are tried again later.
  var number: Int? { get }
  /// Whether all that have failed are meant.
  var failed: Bool { get }
}

extension RetryRequest {
  private static var maximumAtOnce: Int64 { 1_000 }

  /// Makes the entries due. Returns their number.
  func retryEntries(on server: ControlledServer) async throws -> Int {
    let now = Timestamp(server.now)
    if let number {
      return try await server.write { transaction in
        try transaction.run(Self.one, (number: Int64(number), now: now))
        guard transaction.changedRows > 0 else {
          throw CommandFailure("No \(Self.noun) with the number \(number) has failed or is tried again later.")
        }
        return 1
      }
    }
    guard failed else {
      return try await server.write { transaction in
        try Part.allCases.reduce(0) { count, part in
          try transaction.run(Self.allRetried, (part: part, now: now))
          return count + transaction.changedRows
        }
      }
    }
    return try await server.write(inPortionsOf: Self.maximumAtOnce) { transaction in
      try transaction.run(Self.allFailed, (now: now, limit: Self.maximumAtOnce))
    }
  }
}
