import GraphQL
import Storage

enum AddChore {
  static let maximumReminders = 20

  static let mutation = FieldBinding.mutation { arguments, context in
    let viewer = try context.requireParent()
    let (services, now) = (context.services, context.now)
    var form = InputForm(arguments["input"], at: ["input"])
    let chore = try await ChoreForm(&form, isNew: true, context)
    let reminders = reminders(&form, now: now)
    guard form.errors.isEmpty, let name = chore.name, let nameKey = chore.nameKey else {
      return Payload(errors: form.errors)
    }
    let assignees = chore.assignees ?? []
    let key = try await context.write(with: chore.image) { transaction in
      let numbers = try KeySequence.nextNumbers(2, transaction)
      var row = Chore(
        family: viewer.family,
        id: GlobalID(.chore, number: numbers.lowerBound),
        name: name,
        nameKey: nameKey,
        assignees: KeyList(assignees),
        createdBy: viewer.member,
        createdAt: Timestamp(now),
        updatedAt: Timestamp(now)
      )
      try chore.changes(transaction).apply(to: &row)
      try insert(row, for: assignees, reminders: reminders, services, at: now, transaction)
      try FamilyEvent.record(
        .choreChanged,
        row.id,
        of: viewer.family,
        at: now,
        position: numbers.lowerBound + 1,
        transaction
      )
      return row.id
    }
    return Payload(["chore": [key]])
  }

  /// The distinct reminder times, in order.
  private static func reminders(_ form: inout InputForm, now: Int64) -> [Int64] {
    let given = form["remindAt"]?.list ?? []
    guard given.count <= maximumReminders else {
      form.reject("remindAt", code: .tooLong, "A chore can be added with \(maximumReminders) reminders at most.")
      return []
    }
    for (index, value) in given.enumerated() where value.int ?? 0 <= now {
      form.reject("remindAt", String(index), code: .outOfRange, ReminderRow.pastMessage)
    }
    return Set(given.compactMap(\.int)).sorted()
  }

  private static func insert(
    _ chore: Chore,
    for assignees: [GlobalID],
    reminders: [Int64],
    _ services: Services,
    at now: Int64,
    _ transaction: WriteTransaction
  ) throws {
    try transaction.run(Chore.table.insert, chore)
    try Assignees.assign(assignees, to: chore.id, of: chore.family, transaction)
    if let unit = chore.frequency.unit {
      let turn = try Repetition.begin(
        chore.id,
        of: chore.family,
        unit,
        dueAt: chore.dueAt?.milliseconds,
        series: chore.id,
        at: now,
        transaction
      )
      transaction.afterCommit { services.turns.schedule(at: turn) }
    }
    for remindAt in reminders {
      _ = try ReminderRow.insert(remindAt, of: chore.id, in: chore.family, services, transaction)
    }
  }
}
