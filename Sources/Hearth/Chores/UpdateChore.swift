import GraphQL
import Storage

enum UpdateChore {
  /// An update can change every column except the key, the columns that `ChoreTransition` and the creation and removal
  /// of a chore record, and those that locate an occurrence in its series (see `Repetition`).
  static let update: PatchStatement<Chore, ChoreKey> = Chore.table.update(
    except: [
      \.family, \.id, \.createdBy, \.createdAt, \.removedAt,
      \.period, \.copiedFrom, \.series, \.repeats, \.dueDay, \.dueTime,
    ] + changedByTransitions,
    where: "family_id = \(\.family) AND id = \(\.chore) AND removed_at IS NULL"
  )

  private static var changedByTransitions: [PartialKeyPath<Chore>] {
    (Chore.unstarted() as [Replacement<Chore, ChoreKey>]).map(\.property)
  }

  static let mutation = FieldBinding.mutation { arguments, context in
    let viewer = try context.requireParent()
    var form = InputForm(arguments["input"], at: ["input"])
    let chore = context.cipher.key(of: form["id"])
    let changes = try await ChoreForm(&form, of: RowPatch(), isNew: false, in: context)
    let errors = form.errors
    let (services, now) = (context.services, context.now)
    let key = try await context.write(with: errors.isEmpty ? changes.image : .unchanged) { transaction in
      guard let chore, let before = try Repetition.State(chore, of: viewer.family, from: transaction.reader) else {
        throw RejectedInput([ChoreRow.notFound(["input", "id"])] + errors)
      }
      var errors = errors
      let isPast = try changes.frequency != nil && before.isPast(of: viewer.family, from: transaction.reader)
      if isPast, changes.frequency != before.frequency {
        errors.append(UserError(field: ["input", "frequency"], code: .conflict, message: pastMessage))
      }
      guard errors.isEmpty else { throw RejectedInput(errors) }
      let children = try update(chore, of: viewer.family, changes, by: viewer.member, at: now, in: transaction)
      let reminders = try children.flatMap { child in
        try ReminderDue.dueLater(of: chore, in: viewer.family, for: child, from: transaction.reader)
      }
      FamilyEvent.record(
        .choreChanged,
        subject: chore,
        details: reminders.isEmpty ? [] : children,
        of: viewer.family,
        with: reminders,
        at: now,
        in: transaction
      )
      try Repetition.update(
        chore,
        of: viewer.family,
        from: before,
        // The newest occurrence is not the one that repeats if the one after it was removed.
        restarts: changes.frequency?.unit != nil && !before.repeats && !isPast,
        at: now,
        turns: services.turns,
        in: transaction
      )
      return chore
    }
    return Payload(["chore": [key]])
  }

  private static let pastMessage: UserError.Message =
    "There is a newer occurrence of this chore. Change the frequency of the newest one."

  /// Returns the children to whom the chore was assigned.
  private static func update(
    _ chore: GlobalID,
    of family: GlobalID,
    _ changes: ChoreForm<RowPatch<Chore>>,
    by person: GlobalID,
    at now: Int64,
    in transaction: WriteTransaction
  ) throws -> [GlobalID] {
    var children: [GlobalID] = []
    try transaction.run(update, patch: changes.changes(transaction), parameters: (family: family, chore: chore))
    if let assignees = changes.assignees {
      children = try reassign(chore, of: family, to: assignees, in: transaction)
    } else {
      try Assignment.update(with: chore, of: family, in: transaction)
    }
    if let status = changes.status {
      try ChoreTransition.setStatus(status, of: chore, in: family, by: person, at: now, transaction: transaction)
    }
    return children
  }

  /// Parents receive all due reminders of the family. A child receives those of a chore when the chore is assigned to
  /// it: the returned ones had none before.
  private static func reassign(
    _ chore: GlobalID,
    of family: GlobalID,
    to assignees: [GlobalID],
    in transaction: WriteTransaction
  ) throws -> [GlobalID] {
    let before = try Assignment.members(assignedTo: chore, of: family, from: transaction.reader)
    try Assignment.deleteAll(of: chore, in: family, transaction: transaction)
    try Assignees.assign(assignees, to: chore, of: family, in: transaction)
    return assignees.filter { $0.kind == .child && !before.contains($0) }
  }
}
