import GraphQL
import Storage

enum SetReminder {
  static let mutation = FieldBinding.mutation { arguments, context in
    let viewer = try context.requireViewer()
    let (services, now) = (context.services, context.now)
    var form = InputForm(arguments["input"], at: ["input"])
    let chore = services.cipher.key(of: form["choreId"])
    let remindAt = form["remindAt"]?.int ?? 0
    if remindAt <= now { form.reject("remindAt", code: .outOfRange, message: Reminder.pastMessage) }
    let errors = form.errors
    let key = try await context.write(as: viewer) { write in
      guard try Chore.exists(chore, of: write.family, from: write.reader), let chore else {
        throw RejectedInput([Chore.notFound(["input", "choreId"])] + errors)
      }
      try Reminder.require(viewer, toChangeRemindersOf: chore, from: write.reader)
      guard errors.isEmpty else { throw RejectedInput(errors) }
      let count = try write.reader.number(of: Reminder.countOfChore, (family: write.family, chore: chore))
      guard count ?? 0 < Reminder.maximumOfChore else {
        let message: UserError.Message =
          "A chore can have \(maximum: Reminder.maximumOfChore) reminders at most: remove some first."
        throw RejectedInput(["input", "choreId"], code: .tooLong, message: message)
      }
      write.record(.choreChanged, subject: chore)
      let key = try Reminder.insert(remindAt, of: chore, reminders: services.reminders, in: write)
      let repetition = try Repetition.State(chore, of: write.family, from: write.reader)
      if let repetition, repetition.repeats, let unit = repetition.frequency.unit {
        try RepetitionLimits.requireFewReminders(field: ["input", "choreId"], in: write)
        try Repetition.scheduleEarlyCopy(of: chore, each: unit, turns: services.turns, in: write)
      }
      return key
    }
    return Payload(["reminder": [key]])
  }
}
