import Storage

/// The points that a child is given for a chore.
struct PointAward: Sendable {
  let chore: GlobalID
  let points: Int64
  /// The child who awaits the approval of the chore.
  let awaitedBy: GlobalID?
  let isArchived: Bool

  init(_ progress: ChoreProgress, points: Int64) {
    chore = progress.key
    self.points = points
    awaitedBy = progress.awaitedBy
    isArchived = progress.status == .archived
  }
}

/// Gives children points for chores: writes the finished chores with their entries of the ledger.
enum PointAwards {
  /// Gives points for chores of the family, and marks those that are open or archived as done. They are approved,
  /// except those for which another child awaits approval. Returns the finished chores.
  static func give(
    _ awards: [PointAward],
    to child: GlobalID,
    contract: GlobalID?,
    by parent: GlobalID,
    in write: FamilyWrite
  ) throws -> [GlobalID] {
    let numbers = try KeySequence.nextNumbers(2 * awards.count, in: write.transaction)
    let keys = numbers.prefix(awards.count).map { GlobalID(.finishedChore, number: $0) }
    let entries = numbers.dropFirst(awards.count).map { GlobalID(.pointEntry, number: $0) }
    for ((key, entry), award) in zip(zip(keys, entries), awards) {
      let finished = FinishedChore(
        family: write.family,
        child: child,
        id: key,
        chore: award.chore,
        points: award.points,
        assignedBy: parent,
        finishedAt: write.now
      )
      try record(finished, entry: entry, contract: contract, in: write.transaction)
      if award.isArchived { try ChoreTransition.unarchive(award.chore, in: write) }
      let isRecorded = try ChoreTransition.finish(award.chore, by: parent, for: child, in: write)
      guard award.awaitedBy == nil || award.awaitedBy == child else {
        try ChoreTransition.addPoints(award.points, to: award.chore, in: write)
        continue
      }
      try ChoreTransition.setApproved(
        award.chore,
        by: parent,
        points: award.points,
        awaitedBy: award.awaitedBy,
        in: write
      )
      if !isRecorded { write.record(.choreChanged, subject: award.chore) }
    }
    write.record(.pointsAssigned, subject: child, details: keys)
    return keys
  }

  /// Inserts a finished chore with its entry of the ledger.
  ///
  /// - Parameter contract: the child's current contract.
  static func record(
    _ finished: FinishedChore,
    entry: GlobalID,
    contract: GlobalID?,
    in transaction: WriteTransaction
  ) throws {
    try transaction.run(FinishedChore.table.insert, finished)
    let gain = PointEntry(
      family: finished.family,
      member: finished.child,
      id: entry,
      points: finished.points,
      kind: .chore,
      author: finished.assignedBy,
      chore: finished.chore,
      contract: contract,
      createdAt: finished.finishedAt
    )
    try PointLedger.insert(gain, in: transaction)
  }
}
