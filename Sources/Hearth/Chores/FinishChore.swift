import GraphQL
import Storage

/// `finishChore` and `reopenChore`: what members do with their own chores.
enum FinishChore {
  static let finish = changing { chore, viewer, now, transaction in
    // A repeated request changes nothing.
    if chore.status == .done, chore.finishedBy == viewer.member { return }
    guard chore.status == .open else {
      throw RejectedInput(["id"], code: .conflict, message: "The chore is not open.")
    }
    try ChoreTransition.finish(chore.key, of: viewer.family, by: viewer.member, at: now, in: transaction)
  }

  static let reopen = changing { chore, viewer, now, transaction in
    // A repeated request changes nothing.
    if chore.status == .open { return }
    guard chore.status == .done, !chore.isApproved else {
      throw RejectedInput(["id"], code: .conflict, message: "A parent has responded, or the chore was archived.")
    }
    guard !viewer.isChild || chore.awaitsApproval && chore.finishedBy == viewer.member else {
      throw RejectedInput(["id"], code: .conflict, message: "Another member marked the chore as done.")
    }
    try ChoreTransition.reopen(chore.key, of: viewer.family, at: now, in: transaction)
  }

  /// - Parameter change: Receives the chore, which a viewer who is a child is assigned to, and the time.
  private static func changing(
    _ change: @escaping @Sendable (ChoreProgress, Viewer, Int64, WriteTransaction) throws -> Void
  ) -> FieldBinding {
    .mutation { arguments, context in
      let viewer = try context.requireViewer()
      let key = context.cipher.key(of: arguments["id"])
      let now = context.now
      let chore = try await context.write { transaction in
        let chore = try ChoreProgress.find(key, of: viewer.family, at: ["id"], from: transaction.reader)
        try Assignment.require(
          viewer,
          assignedTo: chore.key,
          message: "A child can finish and reopen only its own chores.",
          from: transaction.reader
        )
        try change(chore, viewer, now, transaction)
        return chore.key
      }
      return Payload(["chore": [chore]])
    }
  }
}
