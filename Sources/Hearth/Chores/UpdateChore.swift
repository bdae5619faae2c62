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
    let services = context.services
    let key = try await context.write(as: viewer, with: errors.isEmpty ? changes.image : .unchanged) { write in
      guard let chore, let before = try Repetition.State(chore, of: write.family, from: write.reader) else {
        throw RejectedInput([Chore.notFound(["input", "id"])] + errors)
      }
      var errors = errors
      let isPast = try changes.frequency != nil && before.isPast(of: write.family, from: write.reader)
      if isPast, changes.frequency != before.frequency {
        errors.append(UserError(field: ["input", "frequency"], code: .conflict, message: pastMessage))
      }
      guard errors.isEmpty else { throw RejectedInput(errors) }
      let children = try update(chore, with: changes, by: viewer.member, in: write)
      let reminders = try children.flatMap { child in
        try ReminderDue.dueLater(of: chore, in: write.family, for: child, from: write.reader)
      }
      write.record(.choreChanged, subject: chore, details: reminders.isEmpty ? [] : children, with: reminders)
      try Repetition.update(
        chore,
        from: before,
        // The newest occurrence is not the one that repeats if the one after it was removed.
        restarts: changes.frequency?.unit != nil && !before.repeats && !isPast,
        turns: services.turns,
        in: write
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
    with changes: ChoreForm<RowPatch<Chore>>,
    by person: GlobalID,
    in write: FamilyWrite
  ) throws -> [GlobalID] {
    var children: [GlobalID] = []
    try write.transaction.run(
      update,
      patch: changes.changes(write.transaction),
      parameters: (family: write.family, chore: chore)
    )
    if let assignees = changes.assignees {
      children = try reassign(chore, to: assignees, in: write)
    } else {
      try Assignment.update(with: chore, in: write)
    }
    if let status = changes.status {
      try ChoreTransition.setStatus(status, of: chore, by: person, in: write)
    }
    return children
  }

  /// Parents receive all due reminders of the family. A child receives those of a chore when the chore is assigned to
  /// it: the returned ones had none before.
  private static func reassign(
    _ chore: GlobalID,
    to assignees: [GlobalID],
    in write: FamilyWrite
  ) throws -> [GlobalID] {
    let before = try Assignment.members(assignedTo: chore, of: write.family, from: write.reader)
    try Assignment.deleteAll(of: chore, in: write)
    try Assignees.assign(assignees, to: chore, in: write)
    return assignees.filter { $0.kind == .child && !before.contains($0) }
  }
}
