import Foundation
import GraphQL
import Storage

enum UpdateFamily {
  typealias Changes = (family: GlobalID, name: String?, timeZone: String?, now: Timestamp)

  /// In another zone another day can have begun: then periods are looked at now.
  static let update = SQL<Changes>(
    """
    UPDATE family SET name = coalesce(\(\.name), name), time_zone = coalesce(\(\.timeZone), time_zone), \
    next_turn_at = CASE WHEN next_turn_at IS NULL OR \(\.timeZone) IS NULL THEN next_turn_at ELSE \(\.now) END \
    WHERE id = \(\.family)
    """
  )

  static let mutation = FieldBinding.mutation { arguments, context in
    let viewer = try context.requireParent()
    var form = InputForm(arguments["input"], at: ["input"])
    let name = form.line("name", "A name", required: form.gives("name"))
    let timeZone = form.line("timeZone", "A time zone", required: form.gives("timeZone"))
    if let timeZone, !isTimeZone(timeZone) {
      form.refuse("timeZone", code: .invalid, "This is not a time zone of the IANA database, like \"Europe/Paris\".")
    }
    guard form.errors.isEmpty else { return Payload(errors: form.errors) }
    let (services, now) = (context.services, context.now)
    try await context.write { transaction in
      try transaction.run(
        update,
        (family: viewer.family, name: name, timeZone: timeZone, now: Timestamp(now))
      )
      if timeZone != nil { transaction.afterCommit { services.turns.schedule(at: now) } }
    }
    return Payload(["family": [viewer.family]])
  }

  /// Whether a name is one of the IANA database: an area and a place, or UTC. Foundation also takes abbreviations and
  /// offsets ("PST", "GMT+3"), which know nothing of summer time; and its list of known names lacks some of the
  /// database's own, as Asia/Kolkata, so that names are looked up instead.
  static func isTimeZone(_ name: String) -> Bool {
    if name == "UTC" { return true }
    guard name.contains("/"), name.utf8.count <= 64,
      name.utf8.allSatisfy({ isLetterOrDigit($0) || "/_+-".utf8.contains($0) })
    else { return false }
    return TimeZone(identifier: name) != nil
  }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: false
    }
  }
}
