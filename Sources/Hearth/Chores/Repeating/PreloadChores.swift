import GraphQL
import Storage

/// `preloadChores` copies repeating chores into the current or the next period on request.
enum PreloadChores {
  /// The number of chores in one call, so that other writes do not wait long.
  static let maximumAtOnce: Int64 = 1_000

  static let mutation = FieldBinding.mutation { arguments, context in
    let viewer = try context.requireParent()
    let (services, now) = (context.services, context.now)
    let form = InputForm(arguments["input"], at: ["input"])
    let frequency = form.choice("frequency", default: Frequency.once)
    let label = form["period"]?.string
    let keys = try await context.write { transaction in
      let clock = try Repetition.wallClock(of: viewer.family, in: transaction)
      let (current, wanted) = try periods(frequency, label: label, clock: clock, at: now)
      // Chores that have not been copied into the current period yet must not skip it.
      var copies: [GlobalID] = []
      var rest = maximumAtOnce
      for period in current == wanted ? [current] : [current, wanted] where rest > 0 {
        let sources = try NextOccurrence.Source.all(
          of: viewer.family,
          frequency,
          before: period,
          limit: rest,
          in: transaction
        )
        rest -= Int64(sources.count)
        copies += try sources.compactMap { source in
          guard source.period != nil else { return nil }
          return try NextOccurrence.copy(
            source,
            of: viewer.family,
            frequency,
            to: period,
            clock,
            at: now,
            reminders: services.reminders,
            in: transaction
          )
        }
      }
      return copies
    }
    return Payload(["chores": keys])
  }

  private static func periods(
    _ frequency: Frequency,
    label: String?,
    clock: WallClock,
    at now: Int64
  ) throws(RejectedInput) -> (current: Period, wanted: Period) {
    guard let unit = frequency.unit else {
      throw RejectedInput(
        ["input", "frequency"],
        code: .invalid,
        message: "Chores that do not repeat have no next period."
      )
    }
    let current = clock.period(unit, at: now)
    guard let label else { return (current, current.next) }
    guard let wanted = Period(unit, label: label) else {
      let message: UserError.Message =
        "This is not a \("\(unit)", as: "unit"), like \"\(current.label, as: "example")\"."
      throw RejectedInput(["input", "period"], code: .invalid, message: message)
    }
    guard wanted == current || wanted == current.next else {
      let message: UserError.Message =
        """
        Chores can be copied into the current period, \(current.label, as: "current"), or the next one, \
        \(current.next.label, as: "next").
        """
      throw RejectedInput(["input", "period"], code: .outOfRange, message: message)
    }
    return (current, wanted)
  }
}
