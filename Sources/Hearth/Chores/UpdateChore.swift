import GraphQL
import Storage

enum UpdateChore {
  static let update: PatchStatement<Chore, ChoreKey> = Chore.table.update(
    [
      \.name, \.nameKey, \.notes, \.priority, \.dueAt, \.frequency, \.status, \.assignees, \.updatedAt, \.image,
    ],
    where: "family_id = \(\.family) AND id = \(\.chore) AND removed_at IS NULL"
  )

  private struct Changes: Sendable {
    var row: RowPatch<Chore>
    let image: PictureChange
    let frequency: Frequency?
    let status: ChoreStatus?
    let assignees: [GlobalID]?
  }

  static let mutation = FieldBinding.mutation { arguments, context in
    let viewer = try context.requireParent()
    var form = InputForm(arguments["input"], at: ["input"])
    let chore = context.services.cipher.key(of: form["id"]?.string ?? "")
    let image = try await form.picture("image", context)
    let changes = try changes(&form, image, context)
    let refused = form.errors
    let (services, now) = (context.services, context.now)
    let key = try await context.write(with: refused.isEmpty ? image : .unchanged) { transaction in
      guard let chore, let before = try Repetition.State(of: chore, in: viewer.family, transaction) else {
        throw RejectedInput([ChoreRow.notFound(["input", "id"])] + refused)
      }
      var refused = refused
      if let frequency = changes.frequency, frequency != before.frequency,
        try before.isPast(in: viewer.family, transaction)
      {
        refused.append(UserError(field: ["input", "frequency"], code: .conflict, message: pastMessage))
      }
      guard refused.isEmpty else { throw RejectedInput(refused) }
      try update(chore, of: viewer.family, changes, by: viewer.member, at: now, transaction)
      try FamilyEvent.record(.choreChanged, chore, of: viewer.family, at: now, transaction)
      try Repetition.update(
        chore,
        of: viewer.family,
        from: before,
        at: now,
        turns: services.turns,
        transaction
      )
      return chore
    }
    return Payload(["chore": [key]])
  }

  private static let pastMessage =
    "This chore was copied to a later period: change how often that one comes back, the newest."

  private static func changes(
    _ form: inout InputForm,
    _ image: PictureChange,
    _ context: RequestContext
  ) throws -> Changes {
    for (field, what) in [("priority", "A priority"), ("frequency", "A frequency"), ("status", "A status")]
    where form.gives(field) && form[field] == nil {
      form.reject(field, code: .blank, "\(what) is needed.")
    }
    let name = form.line("name", subject: "A name", required: form.gives("name"))
    let frequency = form["frequency"]?.string.flatMap(Frequency.init)
    let status = form["status"]?.string.flatMap(ChoreStatus.init)
    var row = RowPatch(of: Chore.table)
    row.set(\.name, to: name)
    row.set(\.nameKey, to: name.map(NameKey.key))
    row.apply(form.patch("notes", form.lines("notes", subject: "A note")), to: \.notes)
    row.set(\.priority, to: form.integer("priority", subject: "A priority", in: 1...10))
    row.apply(form.patch("dueAt", form["dueAt"]?.int.map(Timestamp.init)), to: \.dueAt)
    row.set(\.frequency, to: frequency)
    row.set(\.status, to: status)
    let assignees = form.gives("assigneeIds") ? try Assignees.read(&form, context) : nil
    row.set(\.assignees, to: assignees.map(KeyList.init))
    row.set(\.updatedAt, to: Timestamp(context.now))
    return Changes(row: row, image: image, frequency: frequency, status: status, assignees: assignees)
  }

  private static func update(
    _ chore: GlobalID,
    of family: GlobalID,
    _ changes: Changes,
    by person: GlobalID,
    at now: Int64,
    _ transaction: WriteTransaction
  ) throws {
    var row = changes.row
    row.apply(try changes.image.patch(transaction), to: \.image)
    try transaction.run(update, row, (family: family, chore: chore))
    if let assignees = changes.assignees {
      try reassign(chore, of: family, to: assignees, transaction)
    } else {
      try Assignment.update(with: chore, of: family, transaction)
    }
    if let status = changes.status, status != .open {
      try ReminderRow.ignoreDue(of: chore, in: family, by: person, transaction)
    }
  }

  /// Adults are told of all that is due in the family; a child from the moment on that the chore is its own.
  private static func reassign(
    _ chore: GlobalID,
    of family: GlobalID,
    to assignees: [GlobalID],
    _ transaction: WriteTransaction
  ) throws {
    let before = try Assignment.members(of: chore, in: family, transaction)
    try Assignment.deleteAll(of: chore, in: family, transaction)
    try Assignees.assign(assignees, to: chore, of: family, transaction)
    for member in assignees where member.kind == .child && !before.contains(member) {
      try ReminderDue.tellDue(of: chore, in: family, to: member, transaction)
    }
  }
}
