/// Converts between the times that are stored for the reminders of an occurrence, and the day and time of day for which
/// they were set.
///
/// The due time of an occurrence stays the same when the family moves to another time zone, and so do its reminders.
/// Their stored times are therefore shifted until the next occurrence is copied.
struct ReminderClock {
  /// A day, and a wall-clock time in milliseconds after midnight.
  typealias Setting = (day: Day, time: Int64)

  /// The day in the family's time zone for which the due time was set. Nil without one.
  let dueDay: Day?
  private let clock: WallClock
  /// Milliseconds from the due time to the same day of the period and wall-clock time in the family's time zone. 0,
  /// unless the family has moved to another zone since, where the next due time has the same wall-clock time.
  private let shift: Int64

  init(of source: NextOccurrence.Source, each unit: Period.Unit, _ clock: WallClock) {
    self.clock = clock
    guard let dueAt = source.dueAt, let slot = source.dueSlot else {
      (dueDay, shift) = (nil, 0)
      return
    }
    func isDueDay(_ day: Day) -> Bool { day == slot.dueDay(in: Period(unit, containing: day)) }
    let day = clock.day(at: dueAt)
    guard clock.time(at: dueAt) != slot.time || !isDueDay(day) else {
      (dueDay, shift) = (day, 0)
      return
    }
    // Zones can be more than a day apart.
    let offsets: [Int64] = [-2, -1, 0, 1, 2]
    let days = offsets.map { day + $0 }
    // Between zones that are more than 12 hours apart, the time is nearer on another day than the due one. None of the
    // days is the due one if the due time was changed while the occurrence did not repeat.
    let dueDays = days.filter(isDueDay)
    // The nearest is at a distance of 0 if clocks skipped the time. Its day is the one before that of the due time if
    // they skipped the end of the day.
    let nearest = (dueDays.isEmpty ? days : dueDays).map { (day: $0, shift: clock.moment(of: $0, slot.time) - dueAt) }
      .min { abs($0.shift) < abs($1.shift) }
    (dueDay, shift) = (nearest?.day, nearest?.shift ?? 0)
  }

  /// The day and time of day for which a reminder was set.
  func setting(of reminder: ReminderShift.Original) -> Setting {
    let (remindAt, planned) = (reminder.remindAt + shift, (reminder.plannedAt ?? reminder.remindAt) + shift)
    let late = planned - remindAt
    if (1..<Milliseconds.day).contains(late) {
      let (day, time) = (clock.day(at: remindAt), clock.time(at: remindAt) - late)
      // Clocks of some zones skip the last hour of a day.
      let skipped = time < 0 ? (day: day + -1, time: time + Milliseconds.day) : (day: day, time: time)
      if clock.moment(of: skipped.day, skipped.time) == remindAt { return skipped }
    }
    return (clock.day(at: planned), clock.time(at: planned))
  }

  /// A reminder at a time of day. If clocks skip it, the reminder is late by the length of the gap, and is planned as
  /// much later again, from which `setting(of:)` restores its day and time of day.
  func time(on day: Day, at time: Int64) -> ReminderShift.Time {
    let remindAt = clock.moment(of: day, time)
    let late = (clock.time(at: remindAt) - time + Milliseconds.day) % Milliseconds.day
    return ReminderShift.Time(remindAt: remindAt, planned: remindAt + late)
  }

  /// The planned time with which a reminder has the time of day, and the distance in days from the due time, that it
  /// has in another time zone. Without a due time it has the same day.
  func planned(_ reminder: ReminderShift.Original, asIn other: ReminderClock) -> Int64 {
    let (day, time) = other.setting(of: reminder)
    let days = (dueDay?.number ?? 0) - (other.dueDay?.number ?? 0)
    let moved = self.time(on: day + days, at: time)
    // The planned time of one that is late has a meaning only beside the time at which the reminder is due.
    return (moved.remindAt == reminder.remindAt + shift ? moved.planned : moved.remindAt) - shift
  }
}
