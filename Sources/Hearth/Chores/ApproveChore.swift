import GraphQL
import Storage

/// `approveChore` and `returnChore`: an adult's responses to a chore that a child or another adult marked as done.
enum ApproveChore {
  static let approve = FieldBinding.mutation { arguments, context in
    let viewer = try context.requireParent()
    var form = InputForm(arguments["input"], at: ["input"])
    let key = context.cipher.key(of: form["id"])
    let points = form.integer("points", subject: "Points", in: 1...3)
    let inputErrors = form.errors
    let approved = try await context.write(as: viewer) { write in
      let chore = try unanswered(key, for: viewer, inputErrors: inputErrors, from: write.reader)
      if let points {
        try give(points, for: chore, by: viewer.member, in: write)
      } else {
        try ChoreTransition.approve(chore.key, by: viewer.member, points: nil, awaitedBy: chore.finishedBy, in: write)
      }
      return chore.key
    }
    return Payload(["chore": [approved]])
  }

  static let sendBack = FieldBinding.mutation { arguments, context in
    let viewer = try context.requireParent()
    var form = InputForm(arguments["input"], at: ["input"])
    let key = context.cipher.key(of: form["id"])
    let comment = form.lines("comment", subject: "A comment", maximum: maximumComment)
    if comment == nil, form.errors.isEmpty { form.reject("comment", code: .blank, message: "A comment is required.") }
    let inputErrors = form.errors
    let returned = try await context.write(as: viewer) { write in
      let chore = try unanswered(key, for: viewer, inputErrors: inputErrors, from: write.reader)
      try ChoreTransition.sendBack(
        chore.key,
        by: viewer.member,
        awaitedBy: chore.finishedBy,
        comment: comment ?? "",
        in: write
      )
      return chore.key
    }
    return Payload(["chore": [returned]])
  }

  static let maximumComment = 500

  /// The chore, which awaits approval or was done by another adult and has no response yet.
  private static func unanswered(
    _ key: GlobalID?,
    for viewer: Viewer,
    inputErrors: [UserError],
    from reader: Reader
  ) throws -> ChoreProgress {
    let chore: ChoreProgress
    do {
      chore = try ChoreProgress.find(key, of: viewer.family, at: ["input", "id"], from: reader)
    } catch let missing as RejectedInput {
      throw RejectedInput(missing.errors + inputErrors)
    }
    guard inputErrors.isEmpty else { throw RejectedInput(inputErrors) }
    guard chore.awaitsApproval || chore.isDoneByAdult else {
      throw RejectedInput(["input", "id"], code: .conflict, message: "The chore does not await approval.")
    }
    guard chore.finishedBy != viewer.member else {
      throw RejectedInput(
        ["input", "id"],
        code: .notAllowed,
        message: "Another adult of the family responds to your chores."
      )
    }
    return chore
  }

  private static func give(
    _ points: Int64,
    for chore: ChoreProgress,
    by parent: GlobalID,
    in write: FamilyWrite
  ) throws {
    guard let member = chore.finishedBy,
      let standing = try PointLedger.standing(member, of: write.family, from: write.reader)
    else {
      throw RejectedInput(
        ["input", "points"],
        code: .conflict,
        message: "The member who did the chore is no longer in the family."
      )
    }
    guard member.kind == .child else {
      return try give(points, to: member, for: chore.key, by: parent, in: write)
    }
    let award = PointAward(chore, points: points)
    _ = try PointAwards.give([award], to: member, contract: standing.contract, by: parent, in: write)
  }

  /// Approves an adult's chore with points. Adults have no finished chores and no contracts.
  private static func give(
    _ points: Int64,
    to adult: GlobalID,
    for chore: GlobalID,
    by parent: GlobalID,
    in write: FamilyWrite
  ) throws {
    let entry = PointEntry(
      family: write.family,
      member: adult,
      points: points,
      kind: .chore,
      author: parent,
      chore: chore,
      createdAt: write.now
    )
    try PointLedger.record(entry, in: write.transaction)
    try ChoreTransition.approve(chore, by: parent, points: points, awaitedBy: adult, in: write)
    write.record(.pointsChanged, subject: adult)
  }
}
