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
  static func scheduleCompaction(in write: DatedWrite) throws {
    let tomorrow = (write.now.milliseconds / Milliseconds.day + 1) * Milliseconds.day
    let work = DueWork(name: DueWork.searchIndex, dueAt: Timestamp(tomorrow))
    try write.transaction.run(DueWork.schedule, work)
  }

  /// Performs a step of the compaction if it is due. Returns when the next is due; nil if none is.
  static func compact(in write: DatedWrite) throws -> Int64? {
    let dueAt = try write.reader.number(of: DueWork.dueAt, DueWork.searchIndex)
    guard let dueAt, dueAt <= write.now.milliseconds else { return dueAt }
    // The first step is recognized by the time at which it became due.
    guard try write.transaction.mergeBlocks(by: merge, pages: dueAt == 0 ? pagesAtOnce : -pagesAtOnce) else {
      try write.transaction.run(DueWork.setDue, DueWork(name: DueWork.searchIndex, dueAt: Timestamp(0)))
      return write.now.milliseconds
    }
    try write.transaction.run(DueWork.delete, DueWork.searchIndex)
    write.transaction.emptyLogAfterCommit()
    return nil
  }
}
