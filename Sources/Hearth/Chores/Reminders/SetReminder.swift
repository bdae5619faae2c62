import GraphQL
import Storage

enum SetReminder {
  static let mutation = FieldBinding.mutation { arguments, context in
    let viewer = try context.requireViewer()
    let (services, now) = (context.services, context.now)
    var form = InputForm(arguments["input"], at: ["input"])
    let chore = services.cipher.key(of: form["choreId"])
    let remindAt = form["remindAt"]?.int ?? 0
    if remindAt <= now { form.reject("remindAt", code: .outOfRange, message: ReminderRow.pastMessage) }
    let errors = form.errors
    let key = try await context.write { transaction in
      guard try ChoreRow.exists(chore, of: viewer.family, from: transaction.reader), let chore else {
        throw RejectedInput([ChoreRow.notFound(["input", "choreId"])] + errors)
      }
      try ReminderRow.require(viewer, toChangeRemindersOf: chore, from: transaction.reader)
      guard errors.isEmpty else { throw RejectedInput(errors) }
      let count = try transaction.reader.first(
        of: ReminderRow.countOfChore,
        (family: viewer.family, chore: chore)
      ) { row in row.int64(0) }
      guard count ?? 0 < ReminderRow.maximumOfChore else {
        let message: UserError.Message =
          "A chore can have \(maximum: ReminderRow.maximumOfChore) reminders at most: remove some first."
        throw RejectedInput(["input", "choreId"], code: .tooLong, message: message)
      }
      FamilyEvent.record(.choreChanged, subject: chore, of: viewer.family, at: now, in: transaction)
      let key = try ReminderRow.insert(
        remindAt,
        of: chore,
        in: viewer.family,
        services: services,
        transaction: transaction
      )
      let repetition = try Repetition.State(chore, of: viewer.family, from: transaction.reader)
      if let repetition, repetition.repeats, let unit = repetition.frequency.unit {
        try Repetition.scheduleEarlyCopy(
          of: chore,
          in: viewer.family,
          unit,
          at: now,
          turns: services.turns,
          in: transaction
        )
      }
      return key
    }
    return Payload(["reminder": [key]])
  }
}
