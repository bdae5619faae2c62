import GraphQL
import Storage

enum UpdateFamily {
  typealias Changes = (family: GlobalID, name: String?, timeZone: String?, now: Timestamp)

  /// The current day may differ in the new time zone, so the periods are checked now.
  static let update = SQL<Changes>(
    """
    UPDATE family SET name = coalesce(\(\.name), name), time_zone = coalesce(\(\.timeZone), time_zone), \
    next_turn_at = CASE WHEN next_turn_at IS NULL OR \(\.timeZone) IS NULL THEN next_turn_at ELSE \(\.now) END \
    WHERE id = \(\.family)
    """
  )

  /// Includes removed members, for whom nothing waits.
  static let members = SQL<GlobalID>(
    "SELECT id FROM person WHERE family_id = \(\.self) UNION ALL SELECT id FROM child WHERE family_id = \(\.self)"
  )

  static let mutation = FieldBinding.mutation { arguments, context in
    let viewer = try context.requireParent()
    var form = InputForm(arguments["input"], at: ["input"])
    let name = form.line("name", subject: "A name", required: form.gives("name"))
    let timeZone = form.timeZone("timeZone", required: form.gives("timeZone"))
    guard form.errors.isEmpty else { return Payload(errors: form.errors) }
    let services = context.services
    try await context.write(as: viewer) { write in
      // Apps send the current time zone with a new name.
      let current = try FamilyTimeZone.name(of: write.family, from: write.reader)
      let timeZone = timeZone == current ? nil : timeZone
      if let timeZone {
        try services.rateLimits.takeTimeZoneChange(of: write.family, in: write.dated)
        try ReminderZone.change(to: timeZone, in: write)
      }
      try write.transaction.run(
        update,
        (family: write.family, name: name, timeZone: timeZone, now: write.now)
      )
      write.record(.familyChanged)
      if timeZone != nil {
        // Their quiet hours are at another time now.
        let recipients = try write.reader.keys(of: members, write.family)
        try PushQueue.release(of: recipients, in: write.dated)
        let now = write.now.milliseconds
        write.transaction.afterCommit { services.turns.schedule(at: now) }
      }
    }
    context.forgetDay()
    return Payload(["family": [viewer.family]])
  }
}
