import GraphQL
import Storage

/// `finishChore` and `reopenChore`: what members do with their own chores.
enum FinishChore {
  static let finish = changing { chore, viewer, write in
    // A repeated request changes nothing.
    if chore.status == .done, chore.finishedBy == viewer.member { return }
    guard chore.status == .open else {
      throw RejectedInput(["id"], code: .conflict, message: "The chore is not open.")
    }
    try ChoreTransition.finish(chore.key, by: viewer.member, in: write)
  }

  static let reopen = changing { chore, viewer, write in
    // A repeated request changes nothing.
    if chore.status == .open { return }
    guard chore.status == .done, !chore.isApproved else {
      throw RejectedInput(
        ["id"],
        code: .conflict,
        reason: .choreClosed,
        message: "A parent has responded, or the chore was archived."
      )
    }
    guard !viewer.isChild || chore.awaitsApproval && chore.finishedBy == viewer.member else {
      throw RejectedInput(
        ["id"],
        code: .conflict,
        reason: .finishedByOther,
        message: "Another member marked the chore as done."
      )
    }
    try ChoreTransition.reopen(chore.key, in: write)
  }

  /// - Parameter change: Receives the chore, which a viewer who is a child is assigned to.
  private static func changing(
    _ change: @escaping @Sendable (ChoreProgress, Viewer, FamilyWrite) throws -> Void
  ) -> FieldBinding {
    .mutation { arguments, context in
      let viewer = try context.requireViewer()
      let key = context.cipher.key(of: arguments["id"])
      let chore = try await context.write(as: viewer) { write in
        let chore = try ChoreProgress.find(key, of: write.family, at: ["id"], from: write.reader)
        try Assignment.require(
          viewer,
          assignedTo: chore.key,
          message: "A child can finish and reopen only its own chores.",
          from: write.reader
        )
        try change(chore, viewer, write)
        return chore.key
      }
      return Payload(["chore": [chore]])
    }
  }
}
