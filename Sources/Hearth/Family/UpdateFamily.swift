import GraphQL
import Storage

enum UpdateFamily {
  /// In another zone another day can have begun: `?4` is then the moment at which to look whether periods have turned.
  static let update = SQL(
    """
    UPDATE family SET name = ifnull(?2, name), time_zone = ifnull(?3, time_zone), \
    next_turn_at = iif(next_turn_at IS NULL OR ?3 IS NULL, next_turn_at, ?4) WHERE id = ?1
    """
  )

  static let mutation = FieldBinding.mutation { arguments, context in
    let viewer = try context.requireParent()
    var form = InputForm(arguments["input"], at: ["input"])
    let name = form.line("name", "A name", required: form.gives("name"))
    let timeZone = form.line("timeZone", "A time zone", required: form.gives("timeZone"))
    if let timeZone, !TimeZoneName.isValid(timeZone) {
      form.refuse("timeZone", code: .invalid, "This is not a time zone of the IANA database, like \"Europe/Paris\".")
    }
    guard form.errors.isEmpty else { return Payload(errors: form.errors) }
    let (services, now) = (context.services, context.now)
    try await context.write { transaction in
      let statement = try transaction.statement(update)
      try statement.bind(1, viewer.family.rawValue)
      try statement.bind(2, name)
      try statement.bind(3, timeZone)
      try statement.bind(4, now)
      try statement.run()
      if timeZone != nil { transaction.afterCommit { services.turns.schedule(at: now) } }
    }
    return Payload(["family": [viewer.family]])
  }
}
