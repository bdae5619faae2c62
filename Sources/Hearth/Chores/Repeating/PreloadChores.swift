import GraphQL
import Storage

/// `preloadChores` copies repeating chores into the current or the next period on request.
enum PreloadChores {
  /// The number of chores in one call, of which some count as several.
  static let maximumAtOnce: Int64 = 1_000
  /// The number of chores in one write, so that other writes do not wait long. One with many reminders counts as
  /// several: see `PeriodTurn.cost`.
  static let maximumPerWrite: Int64 = 100

  /// What one write has copied. When a later write fails, the copies stay, and the next call makes the missing ones.
  private struct Portion: WriteOutcome {
    /// That of its copies, and 1 for each chore that it has looked at in vain.
    let cost: Int64
    let copies: [GlobalID]

    init(cost: Int64, copies: [GlobalID]) {
      self.cost = cost
      self.copies = copies
    }

    var outcome: String? { copies.outcome.map { "\(cost):\($0)" } }

    init?(outcome: String) {
      let parts = outcome.split(separator: ":", omittingEmptySubsequences: false)
      guard parts.count == 2, let cost = Int64(parts[0]), let copies = [GlobalID](outcome: String(parts[1])) else {
        return nil
      }
      self.init(cost: cost, copies: copies)
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
          for source in sources where left > 0 {
            guard source.period != nil else {
              left -= 1
              continue
            }
            let copy = try NextOccurrence.copy(
              source,
              frequency: frequency,
              to: period,
              clock,
              members: members,
              reminders: services.reminders,
              in: write
            )
            left -= copy.cost
            if let key = copy.key { copies.append(key) }
          }
        }
        return Portion(cost: limit - left, copies: copies)
      }
      keys += portion.copies
      rest -= portion.cost
      isOver = portion.cost < limit
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
