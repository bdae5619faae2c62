import CSQLite

/// How many more steps of SQLite's virtual machine a connection may make, counted by its progress handler
/// (https://sqlite.org/c3ref/progress_handler.html). When they are used up, the statement fails as `budgetExceeded`.
///
/// An interrupted statement that writes takes its whole transaction with it; one that only reads does not.
struct StepBudget: ~Copyable {
  /// Steps between two calls of the handler: its cost disappears, and the count is exact enough. SQLite carries the
  /// remainder from one run of a statement to the next, so many short statements are counted too.
  private static let stride = 1_000

  /// Calls of the handler that are left. Owned by this value; SQLite has the pointer for as long as the connection is
  /// open, and the connection closes before it lets its budget go.
  private let remaining: UnsafeMutablePointer<Int>

  init(of database: OpaquePointer) {
    remaining = .allocate(capacity: 1)
    remaining.initialize(to: .max)
    sqlite3_progress_handler(
      database,
      Int32(Self.stride),
      { context in
        guard let remaining = context?.assumingMemoryBound(to: Int.self) else { return 0 }
        remaining.pointee -= 1
        return remaining.pointee < 0 ? 1 : 0
      },
      remaining
    )
  }

  deinit { remaining.deallocate() }

  func allow(_ steps: Int) { remaining.pointee = steps / Self.stride }

  func allowAll() { remaining.pointee = .max }
}
