import GraphQL
import Storage

/// `answerReminder`. An answer is final. Giving the same answer again, for example from a device that has not received
/// the first one, has no effect.
enum AnswerReminder {
  static let answer = SQL<
    (family: GlobalID, reminder: GlobalID, status: ReminderStatus, member: GlobalID)
  >(
    """
    UPDATE reminder SET status = \(\.status), answered_by = \(\.member) \
    WHERE family_id = \(\.family) AND id = \(\.reminder)
    """
  )
  static let snooze = SQL<(family: GlobalID, reminder: GlobalID, remindAt: Timestamp)>(
    """
    UPDATE reminder SET status = \(ReminderStatus.scheduled), planned_at = coalesce(planned_at, remind_at), \
    snoozed_from = coalesce(snoozed_from, remind_at), remind_at = \(\.remindAt), delivered_at = NULL \
    WHERE family_id = \(\.family) AND id = \(\.reminder)
    """
  )

  static let mutation = FieldBinding.mutation { arguments, context in
    let viewer = try context.requireViewer()
    let services = context.services
    let input = arguments["input"]
    let key = services.cipher.key(of: input?["id"])
    let answer = input?["answer"]?.string.flatMap(ReminderAnswer.init) ?? .ignore
    let answered = try await context.write(as: viewer) { write in
      let reminder = try Reminder.find(key, for: viewer, at: ["input", "id"], from: write.reader)
      try take(answer, to: reminder, by: viewer.member, services: services, in: write)
      return reminder.key
    }
    return Payload(["reminder": [answered]])
  }

  private static func take(
    _ answer: ReminderAnswer,
    to reminder: Reminder.Found,
    by member: GlobalID,
    services: Services,
    in write: FamilyWrite
  ) throws {
    guard reminder.status == .scheduled || reminder.status == .due else {
      if reminder.status == answer.status { return }
      let message: UserError.Message = "The reminder was answered already, or its chore was no longer open."
      throw RejectedInput(["input", "id"], code: .conflict, reason: .reminderAnswered, message: message)
    }
    if answer == .checkOff {
      let chore = try ChoreProgress.find(reminder.chore, of: write.family, at: ["input", "id"], from: write.reader)
      guard chore.status != .archived else {
        throw RejectedInput(
          ["input", "id"],
          code: .conflict,
          reason: .choreNotOpen,
          message: "The chore is not open."
        )
      }
    }
    if let status = answer.status {
      try write.transaction.run(
        Self.answer,
        (family: write.family, reminder: reminder.key, status: status, member: member)
      )
    } else {
      // A reminder that is snoozed before its time is postponed from that time, not from now. If it was snoozed before,
      // the last answer counts: the delays of two devices that show it do not add up.
      let remindAt = max(reminder.setFor, write.now.milliseconds) + answer.delay
      try write.transaction.run(snooze, (family: write.family, reminder: reminder.key, remindAt: Timestamp(remindAt)))
      write.transaction.afterCommit { services.reminders.schedule(at: remindAt) }
    }
    let isFinished = try answer == .checkOff && ChoreTransition.finish(reminder.chore, by: member, in: write)
    // A chore that is finished has an event already.
    if !isFinished { write.record(.choreChanged, subject: reminder.chore) }
  }
}

enum ReminderAnswer: String {
  case checkOff = "CHECK_OFF", ignore = "IGNORE"
  case snooze10Minutes = "SNOOZE_10_MINUTES", snooze1Hour = "SNOOZE_1_HOUR", snooze1Day = "SNOOZE_1_DAY"

  /// The status after the answer; nil when the reminder is postponed.
  var status: ReminderStatus? {
    switch self {
    case .checkOff: .checkedOff
    case .ignore: .ignored
    case .snooze10Minutes, .snooze1Hour, .snooze1Day: nil
    }
  }

  /// The delay of a postponed reminder in milliseconds.
  var delay: Int64 {
    switch self {
    case .checkOff, .ignore: 0
    case .snooze10Minutes: 10 * Milliseconds.minute
    case .snooze1Hour: Milliseconds.hour
    case .snooze1Day: Milliseconds.day
    }
  }
}
