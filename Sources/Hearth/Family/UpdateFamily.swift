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
    let (services, now) = (context.services, context.now)
    try await context.write { transaction in
      if let timeZone { try ReminderZone.change(of: viewer.family, to: timeZone, in: transaction) }
      try transaction.run(
        update,
        (family: viewer.family, name: name, timeZone: timeZone, now: Timestamp(now))
      )
      FamilyEvent.record(.familyChanged, subject: viewer.family, of: viewer.family, at: now, in: transaction)
      if timeZone != nil {
        // Their quiet hours are at another time now.
        let recipients = try transaction.reader.keys(of: members, viewer.family)
        try PushQueue.release(of: recipients, at: now, in: transaction)
        transaction.afterCommit { services.turns.schedule(at: now) }
      }
    }
    context.forgetDay()
    return Payload(["family": [viewer.family]])
  }
}
