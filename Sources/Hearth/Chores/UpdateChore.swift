import GraphQL
import Storage

enum UpdateChore {
  static let update = SQL(
    """
    UPDATE chore SET name = ifnull(?3, name), name_key = ifnull(?4, name_key), notes = iif(?5, ?6, notes), \
    priority = ifnull(?7, priority), due_at = iif(?8, ?9, due_at), frequency = ifnull(?10, frequency), \
    status = ifnull(?11, status), assignees = ifnull(?12, assignees), updated_at = ?13, \
    image = iif(?14, ?15, image) \
    WHERE family_id = ?1 AND id = ?2 AND removed_at IS NULL
    """
  )
  /// The order in which a member's chores are shown stands in `assignment` too.
  static let reorder = SQL(
    """
    UPDATE assignment SET status = c.status, priority_order = -c.priority, \
    due_order = ifnull(c.due_at, 9223372036854775807) FROM chore AS c \
    WHERE c.family_id = ?1 AND c.id = ?2 AND assignment.family_id = ?1 AND assignment.chore_id = ?2
    """
  )
  static let unassign = SQL("DELETE FROM assignment WHERE family_id = ?1 AND chore_id = ?2")

  /// Nil, or not given, is what stays.
  private struct Changes: Sendable {
    let name: String?
    let givesNotes: Bool
    let notes: String?
    let image: PictureChange
    let priority: Int64?
    let givesDueAt: Bool
    let dueAt: Int64?
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
        throw Refused([ChoreRow.notFound(["input", "id"])] + refused)
      }
      var refused = refused
      if let frequency = changes.frequency, frequency != before.frequency,
        try before.isPast(in: viewer.family, transaction)
      {
        refused.append(UserError(field: ["input", "frequency"], code: .conflict, message: pastMessage))
      }
      guard refused.isEmpty else { throw Refused(refused) }
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
      form.refuse(field, code: .blank, "\(what) is needed.")
    }
    return Changes(
      name: form.line("name", "A name", required: form.gives("name")),
      givesNotes: form.gives("notes"),
      notes: form.lines("notes", "A note"),
      image: image,
      priority: form.integer("priority", "A priority", in: 1...10),
      givesDueAt: form.gives("dueAt"),
      dueAt: form["dueAt"]?.int,
      frequency: form["frequency"]?.string.flatMap(Frequency.init),
      status: form["status"]?.string.flatMap(ChoreStatus.init),
      assignees: form.gives("assigneeIds") ? try Assignees.read(&form, context) : nil
    )
  }

  private static func update(
    _ chore: GlobalID,
    of family: GlobalID,
    _ changes: Changes,
    by person: GlobalID,
    at now: Int64,
    _ transaction: WriteTransaction
  ) throws {
    let statement = try transaction.statement(update)
    try statement.bind(1, family.rawValue)
    try statement.bind(2, chore.rawValue)
    try statement.bind(3, changes.name)
    try statement.bind(4, changes.name.map(NameKey.key))
    try statement.bind(5, changes.givesNotes)
    try statement.bind(6, changes.notes)
    try statement.bind(7, changes.priority)
    try statement.bind(8, changes.givesDueAt)
    try statement.bind(9, changes.dueAt)
    try statement.bind(10, changes.frequency?.stored)
    try statement.bind(11, changes.status?.stored)
    if let assignees = changes.assignees {
      try Assignees.bytes(of: assignees).withUnsafeBytes { try statement.bind(12, blob: $0) }
    }
    try statement.bind(13, now)
    try statement.bind(14, changes.image.isGiven)
    try statement.bind(15, try changes.image.number(transaction))
    try statement.run()
    if let assignees = changes.assignees {
      try reassign(chore, of: family, to: assignees, transaction)
    } else {
      try transaction.run(reorder, family.rawValue, chore.rawValue)
    }
    if let status = changes.status, status != .open {
      try transaction.run(ReminderRow.putDueAway, family.rawValue, chore.rawValue, person.rawValue)
    }
  }

  /// Adults are told of all that is due in the family; a child from the moment on that the chore is its own.
  private static func reassign(
    _ chore: GlobalID,
    of family: GlobalID,
    to assignees: [GlobalID],
    _ transaction: WriteTransaction
  ) throws {
    let before = try Assignees.all(of: chore, in: family, transaction)
    try transaction.run(unassign, family.rawValue, chore.rawValue)
    try Assignees.assign(assignees, to: chore, of: family, transaction)
    for member in assignees where member.kind == .child && !before.contains(member) {
      try ReminderDue.tellDue(of: chore, in: family, to: member, transaction)
    }
  }
}
