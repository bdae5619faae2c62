import GraphQL
import Storage

enum AddChore {
  static let maximumReminders = 20

  static let mutation = FieldBinding.mutation { arguments, context in
    let viewer = try context.requireParent()
    let (services, now) = (context.services, context.now)
    var form = InputForm(arguments["input"], at: ["input"])
    // The form sets the name and the assignees, and the write sets the key.
    let row = Chore(
      family: viewer.family,
      id: GlobalID(.chore, number: 0),
      name: "",
      nameKey: "",
      assignees: KeyList([]),
      createdBy: viewer.member,
      createdAt: Timestamp(now),
      updatedAt: Timestamp(now)
    )
    let chore = try await ChoreForm(&form, of: NewRow(row), isNew: true, in: context)
    let reminders = reminders(&form, now: now)
    guard form.errors.isEmpty else { return Payload(errors: form.errors) }
    let assignees = chore.assignees ?? []
    let family = viewer.family
    // `write(as:)` would take another closure for the most frequent write.
    let key = try await context.write(with: chore.image) { write in
      let write = write.inFamily(family)
      var row = try chore.changes(write.transaction).row
      row.id = try KeySequence.next(.chore, in: write.transaction)
      try insert(row, for: assignees, reminders: reminders, services, in: write)
      write.record(.choreChanged, subject: row.id)
      return row.id
    }
    return Payload(["chore": [key]])
  }

  /// The distinct reminder times, in order.
  private static func reminders(_ form: inout InputForm, now: Int64) -> [Int64] {
    guard let given = form["remindAt"]?.list, !given.isEmpty else { return [] }
    guard given.count <= maximumReminders else {
      form.reject(
        "remindAt",
        code: .tooLong,
        message: "A chore can be added with \(maximum: maximumReminders) reminders at most."
      )
      return []
    }
    for (index, value) in given.enumerated() where value.int ?? 0 <= now {
      form.reject("remindAt", String(index), code: .outOfRange, message: Reminder.pastMessage)
    }
    return Set(given.compactMap(\.int)).sorted()
  }

  private static func insert(
    _ chore: Chore,
    for assignees: [GlobalID],
    reminders: [Int64],
    _ services: Services,
    in write: FamilyWrite
  ) throws {
    if chore.frequency.unit != nil { try RepetitionLimits.requireRoom(in: write) }
    try write.transaction.run(Chore.table.insert, chore)
    try Assignees.assign(assignees, to: chore.id, in: write)
    if let unit = chore.frequency.unit {
      let turn = try Repetition.begin(
        chore.id,
        each: unit,
        dueAt: chore.dueAt?.milliseconds,
        series: chore.id,
        in: write
      )
      write.transaction.afterCommit { services.turns.schedule(at: turn) }
    }
    for remindAt in reminders {
      try Reminder.insert(remindAt, of: chore.id, reminders: services.reminders, in: write)
    }
    guard let unit = chore.frequency.unit, !reminders.isEmpty else { return }
    try RepetitionLimits.requireFewReminders(field: ["input", "remindAt"], in: write)
    try Repetition.scheduleEarlyCopy(of: chore.id, each: unit, turns: services.turns, in: write)
  }
}
