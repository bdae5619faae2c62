import GraphQL
import Storage

/// `assignPoints` awards points for chores that a child has done: for all of them, or for none when one is invalid. An
/// open or archived chore that gets points becomes done.
enum AssignPoints {
  private struct Award: Sendable {
    /// Nil when the id is not valid.
    let chore: GlobalID?
    let points: Int64
    /// Whether the child may have been given points for it since it was finished.
    let isRepetition: Bool
  }

  /// Whether the child was given points for the chore since it was finished. A chore that is open, or for which the
  /// child awaits approval, was done again.
  static let isRepeated = SQL<(family: GlobalID, chore: GlobalID, child: GlobalID)>(
    """
    SELECT 1 FROM chore AS c \(join: .asWritten) finished_chore AS d \
    ON d.family_id = \(\.family) AND d.chore_id = \(\.chore) AND d.child_id = \(\.child) \
    AND d.finished_at >= coalesce(c.finished_at, 0) \
    WHERE c.family_id = \(\.family) AND c.id = \(\.chore) AND c.status <> \(ChoreStatus.open) \
    AND (c.awaits_approval = 0 OR c.finished_by <> \(\.child)) LIMIT 1
    """
  )

  static let mutation = FieldBinding.mutation { arguments, context in
    let viewer = try context.requireParent()
    var form = InputForm(arguments["input"], at: ["input"])
    let awards = awards(&form, in: context)
    let child = context.cipher.key(of: form["childId"]?.string ?? "")
    let errors = form.errors
    let now = context.now
    let finished = try await context.write { transaction in
      try assign(awards, to: child, by: viewer, errors: errors, at: now, in: transaction)
    }
    return Payload(["child": [child].compactMap(\.self), "finishedChores": finished])
  }

  private static func awards(_ form: inout InputForm, in context: RequestContext) -> [Award] {
    let given = form["chores"]?.list ?? []
    if given.isEmpty { form.reject("chores", code: .blank, message: "Choose at least one chore.") }
    if given.count > maximumAtOnce {
      form.reject("chores", code: .tooLong, message: "At most \(maximum: maximumAtOnce) chores can get points at once.")
    }
    var known: Set<GlobalID> = []
    return given.prefix(maximumAtOnce).enumerated().map { index, value in
      let points = value["points"]?.int ?? 0
      if !(1...3).contains(points) {
        form.reject(
          "chores",
          String(index),
          "points",
          code: .outOfRange,
          message: "Points must be from \(minimum: 1) to \(maximum: 3)."
        )
      }
      let chore = context.cipher.key(of: value["choreId"]?.string ?? "")
      if let chore, !known.insert(chore).inserted {
        form.reject("chores", String(index), "choreId", code: .invalid, message: "This chore is already in the list.")
      }
      return Award(chore: chore, points: points, isRepetition: value["again"]?.boolean == true)
    }
  }

  private static let maximumAtOnce = 100

  /// Validates everything before it changes anything, so that all user errors are reported together.
  private static func assign(
    _ awards: [Award],
    to child: GlobalID?,
    by viewer: Viewer,
    errors: [UserError],
    at now: Int64,
    in transaction: WriteTransaction
  ) throws -> [GlobalID] {
    var errors = errors
    let family = viewer.family
    let account = try child.flatMap { child in
      child.kind == .child ? try PointLedger.account(of: child, in: family, transaction: transaction) : nil
    }
    if account == nil {
      errors.append(ChildRow.notFound(["input", "childId"]))
    }
    var given: [GivenPoints] = []
    for (index, award) in awards.enumerated() {
      let path = ["input", "chores", String(index), "choreId"]
      guard let progress = try award.chore.flatMap({ try ChoreProgress.find($0, of: family, in: transaction) }) else {
        errors.append(ChoreRow.notFound(path))
        continue
      }
      let points: GivenPoints = (
        chore: progress.key, points: award.points, awaitedBy: progress.awaitedBy,
        isArchived: progress.status == .archived
      )
      given.append(points)
      if !award.isRepetition, let child,
        try transaction.reader.hasRow(isRepeated, (family: family, chore: progress.key, child: child))
      {
        errors.append(UserError(field: path, code: .conflict, message: repeatedMessage))
      }
    }
    guard errors.isEmpty, let child, let account else { throw RejectedInput(errors) }

    return try give(given, to: child, contract: account.contract, by: viewer, at: now, in: transaction)
  }

  private static let repeatedMessage: UserError.Message =
    "The child was given points for this chore since it was finished. To give more, set `again`."

  /// The points for a chore, the member who awaits its approval, and whether the chore is archived.
  typealias GivenPoints = (chore: GlobalID, points: Int64, awaitedBy: GlobalID?, isArchived: Bool)

  /// Gives points for chores of the family, and marks those that are open or archived as done. They are approved,
  /// except those for which another child awaits approval. Returns the finished chores.
  static func give(
    _ awards: [GivenPoints],
    to child: GlobalID,
    contract: GlobalID?,
    by viewer: Viewer,
    at now: Int64,
    in transaction: WriteTransaction
  ) throws -> [GlobalID] {
    let family = viewer.family
    let numbers = try KeySequence.nextNumbers(2 * awards.count, in: transaction)
    let keys = numbers.prefix(awards.count).map { GlobalID(.finishedChore, number: $0) }
    let entries = numbers.dropFirst(awards.count).map { GlobalID(.pointEntry, number: $0) }
    for ((key, entry), (chore, points, performer, isArchived)) in zip(zip(keys, entries), awards) {
      let finished = FinishedChore(
        family: family,
        child: child,
        id: key,
        chore: chore,
        points: points,
        assignedBy: viewer.member,
        finishedAt: Timestamp(now)
      )
      try record(finished, entry: entry, contract: contract, in: transaction)
      if isArchived { try ChoreTransition.unarchive(chore, of: family, at: now, in: transaction) }
      let isRecorded = try ChoreTransition.finish(
        chore,
        of: family,
        by: viewer.member,
        for: child,
        at: now,
        in: transaction
      )
      guard performer == nil || performer == child else {
        if isArchived { FamilyEvent.record(.choreChanged, subject: chore, of: family, at: now, in: transaction) }
        continue
      }
      try ChoreTransition.approve(
        chore,
        of: family,
        by: viewer.member,
        points: points,
        awaitedBy: performer,
        isRecorded: isRecorded,
        at: now,
        in: transaction
      )
    }
    FamilyEvent.record(.pointsAssigned, subject: child, details: keys, of: family, at: now, in: transaction)
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
