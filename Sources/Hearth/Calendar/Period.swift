/// The day, week or month that an occurrence of a repeating chore belongs to.
///
/// Labels of one unit sort and compare as text.
struct Period: Hashable, Sendable {
  enum Unit: Sendable, CaseIterable {
    case day
    /// From Monday to Sunday (ISO 8601).
    case week
    case month
  }

  let unit: Unit
  let first: Day
  /// The number of days.
  let length: Int64

  init(_ unit: Unit, containing day: Day) {
    self.unit = unit
    switch unit {
    case .day:
      first = day
      length = 1
    case .week:
      first = day + (1 - day.weekday)
      length = 7
    case .month:
      let (year, month, dayOfMonth) = day.date
      first = day + (1 - dayOfMonth)
      length = Int64(CalendarDay.length(ofMonth: Int(month), Int(year)))
    }
  }

  /// Parses a label given by a client. Returns nil if it does not have the form of the unit, or if the calendar has no
  /// such period.
  init?(_ unit: Unit, label: String) {
    // No label is longer. Splitting compares characters, which takes long with many combining marks (`CombiningMarks`).
    guard label.utf8.count <= CalendarDay.length else { return nil }
    let parts = label.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count >= 2, let year = Self.number(parts[0], digits: 4), year >= 1 else { return nil }
    switch unit {
    case .day:
      guard CalendarDay.isValid(label), let month = Self.number(parts[1], digits: 2),
        let day = Self.number(parts[2], digits: 2)
      else { return nil }
      self.init(.day, containing: Day(year: year, month: month, day: day))
    case .week:
      // 4 January is always in the first week of its year.
      guard parts.count == 2, parts[1].first == "W", let week = Self.number(parts[1].dropFirst(), digits: 2) else {
        return nil
      }
      self.init(.week, containing: Day(year: year, month: 1, day: 4) + (week - 1) * 7)
    case .month:
      guard parts.count == 2, let month = Self.number(parts[1], digits: 2), (1...12).contains(month) else {
        return nil
      }
      self.init(.month, containing: Day(year: year, month: month, day: 1))
    }
    guard self.label == label else { return nil }
  }

  /// Formatted as `2026-11-21`, `2026-W47` or `2026-11`.
  var label: String {
    switch unit {
    case .day: return first.text
    case .week:
      let (year, week) = first.week
      return "\(Day.padded(year, width: 4))-W\(Day.padded(week, width: 2))"
    case .month:
      let (year, month, _) = first.date
      return "\(Day.padded(year, width: 4))-\(Day.padded(month, width: 2))"
    }
  }

  var next: Period { Period(unit, containing: first + length) }

  private static func number(_ text: Substring, digits: Int) -> Int64? {
    text.utf8.count == digits ? text.utf8.span.number(at: 0, digits: digits) : nil
  }
}

extension Frequency {
  /// The unit of the periods, or nil for chores that do not repeat.
  var unit: Period.Unit? {
    switch self {
    case .once: nil
    case .daily: .day
    case .weekly: .week
    case .monthly: .month
    }
  }

  static let repeating: [Frequency] = [.daily, .weekly, .monthly]
}
