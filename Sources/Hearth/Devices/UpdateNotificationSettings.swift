import GraphQL
import Storage

/// `updateNotificationSettings`: a member chooses what they are notified of on their devices, and when.
enum UpdateNotificationSettings {
  private enum Hours: Sendable {
    case unchanged
    case none
    case chosen(QuietHours)
  }

  static let mutation = FieldBinding.mutation { arguments, context in
    let viewer = try context.requireViewer()
    var form = InputForm(arguments["input"], at: ["input"])
    let muted = form["muted"]?.list?.compactMap { $0.string.flatMap(NotificationKind.init) }
    let hours = hours(&form)
    guard form.errors.isEmpty else { return Payload(errors: form.errors) }
    let givesHours = form.gives("quietHours")
    try await context.write { write in
      var settings = try NotificationSettings.read(of: viewer.member, from: write.reader)
      if let muted { settings.muted = muted.reduce(0) { $0 | $1.bit } }
      switch hours {
      case .unchanged: break
      case .none: (settings.quietFrom, settings.quietUntil, settings.quietsReminders) = (nil, nil, false)
      case .chosen(let hours):
        (settings.quietFrom, settings.quietUntil) = (hours.from, hours.until)
        settings.quietsReminders = hours.includesReminders
      }
      try write.transaction.run(NotificationSettings.store, settings)
      write.recordChange(ofAccount: viewer.member)
      if givesHours { try PushQueue.release(of: [viewer.member], in: write) }
    }
    guard !viewer.isChild else { return Payload(["child": [viewer.member]]) }
    return Payload(["account": [viewer.member.viewed(as: .account)]])
  }

  private static func hours(_ form: inout InputForm) -> Hours {
    guard form.gives("quietHours") else { return .unchanged }
    guard let input = form["quietHours"] else { return .none }
    var hours = InputForm(input, at: form.path("quietHours"))
    defer { form.reject(hours.errors) }
    let from = time("from", form: &hours)
    let until = time("until", form: &hours)
    guard let from, let until else { return .unchanged }
    guard from != until else {
      hours.reject(
        "until",
        code: .invalid,
        reason: .equalTimes,
        message: "Quiet hours must end at another time than they begin."
      )
      return .unchanged
    }
    let includesReminders = hours["includesReminders"]?.boolean ?? false
    return .chosen(QuietHours(from: from, until: until, includesReminders: includesReminders))
  }

  private static func time(_ field: String, form: inout InputForm) -> Int64? {
    if let minute = QuietHours.minute(of: form[field]?.string ?? "") { return minute }
    form.reject(field, code: .invalid, message: "This must be a time like \("22:00", as: "example").")
    return nil
  }
}
