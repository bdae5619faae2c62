import GraphQL
import Storage

/// `assignPoints` awards points for chores that a child has done: for all of them, or for none when one is invalid. An
/// open or archived chore that gets points becomes done.
enum AssignPoints {
  private struct RequestedAward: Sendable {
    /// Nil when the id is not valid.
    let chore: GlobalID?
    let points: Int64
    /// Whether the input sets `again`: the child may have been given points for the chore since it was finished.
    let isAgain: Bool
  }

  /// Whether the child was given points for the chore since it was finished. A chore that is open, or was open when it
  /// was archived, or for which the child awaits approval, was done again.
  static let isRepeated = SQL<(family: GlobalID, chore: GlobalID, child: GlobalID)>(
    """
    SELECT 1 FROM chore AS c \(join: .asWritten) finished_chore AS d \
    ON d.family_id = \(\.family) AND d.chore_id = \(\.chore) AND d.child_id = \(\.child) \
    AND d.finished_at >= coalesce(c.finished_at, 0) \
    WHERE c.family_id = \(\.family) AND c.id = \(\.chore) AND c.status <> \(ChoreStatus.open) \
    AND (c.status <> \(ChoreStatus.archived) OR c.finished_at IS NOT NULL) \
    AND (c.awaits_approval = 0 OR c.finished_by <> \(\.child)) LIMIT 1
    """
  )

  static let mutation = FieldBinding.mutation { arguments, context in
    let viewer = try context.requireParent()
    var form = InputForm(arguments["input"], at: ["input"])
    let awards = awards(&form, in: context)
    let child = context.cipher.key(of: form["childId"])
    let errors = form.errors
    let finished = try await context.write(as: viewer) { write in
      try assign(awards, to: child, by: viewer.member, errors: errors, in: write)
    }
    return Payload(["child": [child].compactMap(\.self), "finishedChores": finished])
  }

  private static func awards(_ form: inout InputForm, in context: RequestContext) -> [RequestedAward] {
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
      let chore = context.cipher.key(of: value["choreId"])
      if let chore, !known.insert(chore).inserted {
        form.reject("chores", String(index), "choreId", code: .invalid, message: "This chore is already in the list.")
      }
      return RequestedAward(chore: chore, points: points, isAgain: value["again"]?.boolean == true)
    }
  }

  private static let maximumAtOnce = 100

  /// Validates everything before it changes anything, so that all user errors are reported together.
  private static func assign(
    _ awards: [RequestedAward],
    to child: GlobalID?,
    by parent: GlobalID,
    errors: [UserError],
    in write: FamilyWrite
  ) throws -> [GlobalID] {
    var errors = errors
    let standing = try child.flatMap { child in
      child.kind == .child ? try PointLedger.standing(child, of: write.family, from: write.reader) : nil
    }
    if standing == nil {
      errors.append(Child.notFound(["input", "childId"]))
    }
    var given: [PointAward] = []
    for (index, award) in awards.enumerated() {
      let path = ["input", "chores", String(index), "choreId"]
      guard let progress = try award.chore.flatMap({ try ChoreProgress.find($0, of: write.family, from: write.reader) })
      else {
        errors.append(Chore.notFound(path))
        continue
      }
      given.append(PointAward(progress, points: award.points))
      if !award.isAgain, let child,
        try write.reader.hasRow(isRepeated, (family: write.family, chore: progress.key, child: child))
      {
        errors.append(UserError(field: path, code: .conflict, message: repeatedMessage))
      }
    }
    guard errors.isEmpty, let child, let standing else { throw RejectedInput(errors) }

    return try PointAwards.give(given, to: child, contract: standing.contract, by: parent, in: write)
  }

  private static let repeatedMessage: UserError.Message =
    "The child was given points for this chore since it was finished. To give more, set `again`."
}
