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
    if let number {
      return try await server.write { write in
        try write.transaction.run(Self.one, (number: Int64(number), now: write.now))
        guard write.transaction.changedRows > 0 else {
          throw CommandFailure("No \(Self.noun) with the number \(number) has failed or is tried again later.")
        }
        return 1
      }
    }
    guard failed else {
      return try await server.write { write in
        try Part.allCases.reduce(0) { count, part in
          try write.transaction.run(Self.allRetried, (part: part, now: write.now))
          return count + write.transaction.changedRows
        }
      }
    }
    return try await server.write(inPortionsOf: Self.maximumAtOnce) { write in
      try write.transaction.run(Self.allFailed, (now: write.now, limit: Self.maximumAtOnce))
    }
  }
}
