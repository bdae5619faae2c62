import GraphQL
import Storage

/// `preloadChores` copies repeating chores into the current or the next period on request.
enum PreloadChores {
  /// The number of chores in one call.
  static let maximumAtOnce: Int64 = 1_000
  /// The number of chores in one write, so that other writes do not wait long: each can have a hundred assignees and
  /// twenty reminders.
  static let maximumPerWrite: Int64 = 100

  /// What one write has copied. When a later write fails, the copies stay, and the next call makes the missing ones.
  private struct Portion: WriteOutcome {
    /// How many chores it has looked at.
    let count: Int64
    let copies: [GlobalID]

    init(count: Int64, copies: [GlobalID]) {
      self.count = count
      self.copies = copies
    }

    var outcome: String? { copies.outcome.map { "\(count):\($0)" } }

    init?(outcome: String) {
      let parts = outcome.split(separator: ":", omittingEmptySubsequences: false)
      guard parts.count == 2, let count = Int64(parts[0]), let copies = [GlobalID](outcome: String(parts[1])) else {
        return nil
      }
      self.init(count: count, copies: copies)
    }
  }

  static let mutation = FieldBinding.mutation { arguments, context in
    let viewer = try context.requireParent()
    let services = context.services
    let form = InputForm(arguments["input"], at: ["input"])
    let frequency = form.choice("frequency", default: Frequency.once)
    let label = form["period"]?.string
    var keys: [GlobalID] = []
    var rest = maximumAtOnce
    var isOver = false
    while !isOver, rest > 0 {
      let limit = min(rest, maximumPerWrite)
      let portion = try await context.write(as: viewer) { write in
        let clock = try Repetition.wallClock(of: write.family, from: write.reader)
        let (current, wanted) = try periods(frequency, label: label, clock: clock, at: write.now.milliseconds)
        let members = try FamilyMember.keys(of: write.family, from: write.reader)
        // Chores that have not been copied into the current period yet must not skip it.
        var copies: [GlobalID] = []
        var left = limit
        for period in current == wanted ? [current] : [current, wanted] where left > 0 {
          let sources = try NextOccurrence.Source.all(
            of: write.family,
            frequency,
            before: period,
            limit: left,
            from: write.reader
          )
          left -= Int64(sources.count)
          copies += try sources.compactMap { source in
            guard source.period != nil else { return nil }
            return try NextOccurrence.copy(
              source,
              frequency: frequency,
              to: period,
              clock,
              members: members,
              reminders: services.reminders,
              in: write
            )
          }
        }
        return Portion(count: limit - left, copies: copies)
      }
      keys += portion.copies
      rest -= portion.count
      isOver = portion.count < limit
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
