import Storage

/// The compaction of the index, in steps.
extension SearchIndex {
  /// Merges some blocks of the index into one. Negative for the first step, which includes all blocks.
  static let merge = SQL<Int64>(
    "INSERT INTO search_index (search_index, rank) VALUES ('merge', \(\.self))"
  )
  static let pagesAtOnce: Int64 = 64

  static let compactionDueAt = SQL<Void>("SELECT due_at FROM due_work WHERE name = '\(sql: DueWork.searchIndex)'")

  /// Schedules the compaction for the end of the day, because it rewrites the entire index: entries that were deleted
  /// stay in its blocks until these are merged.
  static func scheduleCompaction(at now: Int64, in transaction: WriteTransaction) throws {
    let tomorrow = (now / Milliseconds.day + 1) * Milliseconds.day
    let work = DueWork(name: DueWork.searchIndex, dueAt: Timestamp(tomorrow))
    try transaction.run(DueWork.schedule, work)
  }

  /// Performs a step of the compaction if it is due. Returns when the next is due; nil if none is.
  static func compact(at now: Int64, in transaction: WriteTransaction) throws -> Int64? {
    let dueAt = try transaction.reader.number(of: DueWork.dueAt, DueWork.searchIndex)
    guard let dueAt, dueAt <= now else { return dueAt }
    // The first step is recognized by the time at which it became due.
    guard try transaction.mergeBlocks(by: merge, pages: dueAt == 0 ? pagesAtOnce : -pagesAtOnce) else {
      try transaction.run(DueWork.setDue, DueWork(name: DueWork.searchIndex, dueAt: Timestamp(0)))
      return now
    }
    try transaction.run(DueWork.delete, DueWork.searchIndex)
    transaction.emptyLogAfterCommit()
    return nil
  }
}
