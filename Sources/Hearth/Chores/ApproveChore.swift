import GraphQL
import Storage

/// `approveChore` and `returnChore`: a parent's responses to a chore that a child marked as done.
enum ApproveChore {
  static let approve = FieldBinding.mutation { arguments, context in
    let viewer = try context.requireParent()
    var form = InputForm(arguments["input"], at: ["input"])
    let key = context.services.cipher.key(of: form["id"]?.string ?? "")
    let points = form.integer("points", subject: "Points", in: 1...3)
    let inputErrors = form.errors
    let now = context.now
    let approved = try await context.write { transaction in
      let chore = try awaiting(key, of: viewer.family, inputErrors, transaction)
      if let points {
        try give(points, for: chore, by: viewer, at: now, transaction)
      } else {
        try ChoreTransition.approve(
          chore.key,
          of: viewer.family,
          by: viewer.member,
          points: nil,
          awaitedBy: chore.finishedBy,
          at: now,
          transaction
        )
      }
      return chore.key
    }
    return Payload(["chore": [approved]])
  }

  static let sendBack = FieldBinding.mutation { arguments, context in
    let viewer = try context.requireParent()
    var form = InputForm(arguments["input"], at: ["input"])
    let key = context.services.cipher.key(of: form["id"]?.string ?? "")
    let comment = form.lines("comment", subject: "A comment", maximum: maximumComment)
    if comment == nil, form.errors.isEmpty { form.reject("comment", code: .blank, "A comment is required.") }
    let inputErrors = form.errors
    let now = context.now
    let returned = try await context.write { transaction in
      let chore = try awaiting(key, of: viewer.family, inputErrors, transaction)
      try ChoreTransition.sendBack(
        chore.key,
        of: viewer.family,
        by: viewer.member,
        awaitedBy: chore.finishedBy,
        comment: comment ?? "",
        at: now,
        transaction
      )
      return chore.key
    }
    return Payload(["chore": [returned]])
  }

  static let maximumComment = 500

  private static func awaiting(
    _ key: GlobalID?,
    of family: GlobalID,
    _ inputErrors: [UserError],
    _ transaction: WriteTransaction
  ) throws -> ChoreProgress {
    let chore: ChoreProgress
    do {
      chore = try ChoreProgress.find(key, of: family, at: ["input", "id"], transaction)
    } catch let missing as RejectedInput {
      throw RejectedInput(missing.errors + inputErrors)
    }
    guard inputErrors.isEmpty else { throw RejectedInput(inputErrors) }
    guard chore.awaitsApproval else {
      throw RejectedInput(["input", "id"], .conflict, "The chore does not await approval.")
    }
    return chore
  }

  private static func give(
    _ points: Int64,
    for chore: ChoreProgress,
    by viewer: Viewer,
    at now: Int64,
    _ transaction: WriteTransaction
  ) throws {
    let family = viewer.family
    guard let child = chore.finishedBy, child.kind == .child,
      let account = try PointLedger.account(of: child, in: family, transaction)
    else {
      throw RejectedInput(["input", "points"], .conflict, "The child who did the chore is no longer in the family.")
    }
    let award = (chore: chore.key, points: points, awaitedBy: chore.finishedBy)
    _ = try AssignPoints.give([award], to: child, contract: account.contract, by: viewer, at: now, transaction)
  }
}
