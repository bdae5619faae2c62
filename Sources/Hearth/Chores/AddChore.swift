import GraphQL
import Storage

enum AddChore {
  static let maximumReminders = 20

  static let insert = SQL(
    """
    INSERT INTO chore \
    (family_id, id, name, notes, priority, due_at, frequency, status, created_by, created_at, updated_at, assignees, \
    name_key, image) \
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, 0, ?8, ?9, ?9, ?10, ?11, ?12)
    """
  )
  private struct NewChore: Sendable {
    let name: String
    let notes: String?
    let image: PictureChange
    let priority: Int64
    let dueAt: Int64?
    let frequency: Frequency
    let assignees: [GlobalID]
    let reminders: [Int64]
  }

  static let mutation = FieldBinding.mutation { arguments, context in
    let viewer = try context.requireParent()
    var form = InputForm(arguments["input"], at: ["input"])
    let name = form.line("name", "A name")
    let notes = form.lines("notes", "A note")
    let image = try await form.picture("image", context)
    let priority = form.integer("priority", "A priority", in: 1...10)
    let assignees = try Assignees.read(&form, context)
    let reminders = reminders(&form, now: context.now)
    guard form.errors.isEmpty, let name else { return Payload(errors: form.errors) }
    let chore = NewChore(
      name: name,
      notes: notes,
      image: image,
      priority: priority ?? 5,
      dueAt: form["dueAt"]?.int,
      frequency: form.choice("frequency", default: .once),
      assignees: assignees,
      reminders: reminders
    )
    let (services, now) = (context.services, context.now)
    let key = try await context.write(with: image) { transaction in
      try insert(chore, by: viewer, at: now, services, transaction)
    }
    return Payload(["chore": [key]])
  }

  /// Each time once.
  private static func reminders(_ form: inout InputForm, now: Int64) -> [Int64] {
    let given = form["remindAt"]?.list ?? []
    guard given.count <= maximumReminders else {
      form.refuse("remindAt", code: .tooLong, "A chore can be added with \(maximumReminders) reminders at most.")
      return []
    }
    for (place, value) in given.enumerated() where value.int ?? 0 <= now {
      form.refuse("remindAt", String(place), code: .outOfRange, ReminderRow.pastMessage)
    }
    return Set(given.compactMap(\.int)).sorted()
  }

  private static func insert(
    _ chore: NewChore,
    by viewer: Viewer,
    at now: Int64,
    _ services: Services,
    _ transaction: WriteTransaction
  ) throws -> GlobalID {
    let numbers = try KeySequence.nextNumbers(2, transaction)
    let key = GlobalID(.chore, number: numbers.lowerBound)
    let statement = try transaction.statement(insert)
    try statement.bind(1, viewer.family.rawValue)
    try statement.bind(2, key.rawValue)
    try statement.bind(3, chore.name)
    try statement.bind(4, chore.notes)
    try statement.bind(5, chore.priority)
    try statement.bind(6, chore.dueAt)
    try statement.bind(7, chore.frequency.stored)
    try statement.bind(8, viewer.member.rawValue)
    try statement.bind(9, now)
    try Assignees.bytes(of: chore.assignees).withUnsafeBytes { try statement.bind(10, blob: $0) }
    try statement.bind(11, NameKey.key(of: chore.name))
    try statement.bind(12, try chore.image.number(transaction))
    try statement.run()
    try Assignees.assign(chore.assignees, to: key, of: viewer.family, transaction)
    if let unit = chore.frequency.unit {
      let turn = try Repetition.begin(
        key,
        of: viewer.family,
        unit,
        dueAt: chore.dueAt,
        series: key,
        at: now,
        transaction
      )
      transaction.afterCommit { services.turns.schedule(at: turn) }
    }
    for remindAt in chore.reminders {
      _ = try ReminderRow.insert(remindAt, of: key, in: viewer.family, services, transaction)
    }
    let position = numbers.lowerBound + 1
    try FamilyEvent.record(.choreChanged, key, of: viewer.family, at: now, position: position, transaction)
    return key
  }
}
