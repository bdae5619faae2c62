import Testing

@testable import Hearth

@Suite("What clocks on the wall say")
struct WallClockTests {
  private static func moment(_ text: String) throws -> Int64 { try #require(Moment.parse(text), "\(text)") }

  /// The due time on a day of a period, counted from 1, at a local time.
  private static func due(
    _ zone: String,
    _ unit: Period.Unit,
    _ label: String,
    day: Int64,
    _ time: String
  ) throws -> Int64 {
    let period = try #require(Period(unit, label: label))
    let parts = time.split(separator: ":").compactMap { Int64($0) }
    return DueSlot(day: day, time: (parts[0] * 60 + parts[1]) * 60_000).dueAt(in: period, WallClock(zone))
  }

  @Test(arguments: [
    // Seven o'clock stays seven o'clock, on both sides of both changes.
    ("Europe/Vienna", Period.Unit.day, "2027-03-27", 1, "07:00", "2027-03-27T06:00:00Z"),
    ("Europe/Vienna", .day, "2027-03-28", 1, "07:00", "2027-03-28T05:00:00Z"),
    ("Europe/Vienna", .day, "2027-10-30", 1, "07:00", "2027-10-30T05:00:00Z"),
    ("Europe/Vienna", .day, "2027-10-31", 1, "07:00", "2027-10-31T06:00:00Z"),
    ("America/New_York", .week, "2027-W10", 7, "07:00", "2027-03-14T11:00:00Z"),
    ("America/New_York", .week, "2027-W44", 7, "07:00", "2027-11-07T12:00:00Z"),
    // A time that is skipped is an hour later, or half of one; and itself again on the next day.
    ("Europe/Vienna", .day, "2027-03-28", 1, "02:30", "2027-03-28T01:30:00Z"),
    ("Europe/Vienna", .day, "2027-03-29", 1, "02:30", "2027-03-29T00:30:00Z"),
    ("America/New_York", .day, "2027-03-14", 1, "02:30", "2027-03-14T07:30:00Z"),
    ("Australia/Lord_Howe", .day, "2026-10-04", 1, "02:15", "2026-10-03T15:45:00Z"),
    ("Australia/Lord_Howe", .day, "2026-10-05", 1, "02:15", "2026-10-04T15:15:00Z"),
    // An ambiguous time is the first of the two.
    ("Europe/Vienna", .day, "2027-10-31", 1, "02:30", "2027-10-31T00:30:00Z"),
    ("America/New_York", .day, "2027-11-07", 1, "01:30", "2027-11-07T05:30:00Z"),
    ("Australia/Lord_Howe", .day, "2027-04-04", 1, "01:45", "2027-04-03T14:45:00Z"),
    // Clock changes at midnight, and a skipped day.
    ("America/Havana", .day, "2027-03-14", 1, "00:00", "2027-03-14T05:00:00Z"),
    ("America/Havana", .day, "2027-11-07", 1, "00:00", "2027-11-07T04:00:00Z"),
    ("America/Sao_Paulo", .day, "2018-02-18", 1, "00:00", "2018-02-18T03:00:00Z"),
    ("America/Sao_Paulo", .day, "2018-11-04", 1, "00:00", "2018-11-04T03:00:00Z"),
    ("Pacific/Apia", .day, "2011-12-30", 1, "00:00", "2011-12-30T10:00:00Z"),
    ("Pacific/Apia", .day, "2011-12-31", 1, "00:00", "2011-12-30T10:00:00Z"),
    // The 31st is the last day of a shorter month.
    ("UTC", .month, "2027-01", 31, "07:00", "2027-01-31T07:00:00Z"),
    ("UTC", .month, "2027-02", 31, "07:00", "2027-02-28T07:00:00Z"),
    ("UTC", .month, "2028-02", 31, "07:00", "2028-02-29T07:00:00Z"),
    ("UTC", .month, "2028-02", 29, "07:00", "2028-02-29T07:00:00Z"),
    ("UTC", .month, "2027-04", 31, "07:00", "2027-04-30T07:00:00Z"),
    ("UTC", .month, "2027-03", 31, "07:00", "2027-03-31T07:00:00Z"),
    ("UTC", .week, "2026-W53", 7, "12:00", "2027-01-03T12:00:00Z"),
    // Known nowhere: UTC.
    ("Nowhere/At_All", .day, "2027-03-28", 1, "07:00", "2027-03-28T07:00:00Z"),
  ])
  func `a due time at a position of its period`(
    zone: String,
    unit: Period.Unit,
    label: String,
    day: Int64,
    time: String,
    expected: String
  ) throws {
    #expect(try Self.due(zone, unit, label, day: day, time) == Self.moment(expected))
  }

  @Test(arguments: [
    ("Europe/Vienna", "2026-11-22T22:59:59.999Z", "2026-11-22", "2026-W47", "2026-11"),
    ("Europe/Vienna", "2026-11-22T23:00:00Z", "2026-11-23", "2026-W48", "2026-11"),
    ("Pacific/Kiritimati", "2026-11-30T10:00:00Z", "2026-12-01", "2026-W49", "2026-12"),
    ("Pacific/Pago_Pago", "2027-01-01T10:59:59Z", "2026-12-31", "2026-W53", "2026-12"),
    ("UTC", "1969-12-31T23:59:59Z", "1969-12-31", "1970-W01", "1969-12"),
  ])
  func `the periods of a moment`(zone: String, moment: String, day: String, week: String, month: String) throws {
    let (clock, moment) = (WallClock(zone), try Self.moment(moment))
    #expect(Period.Unit.allCases.map { clock.period($0, at: moment).label } == [day, week, month])
  }

  /// Through two years, turn by turn.
  @Test(arguments: [
    "UTC", "Europe/Vienna", "America/New_York", "Australia/Lord_Howe", "America/Havana", "Africa/Casablanca",
    "Asia/Kathmandu", "Pacific/Kiritimati",
  ])
  func `a period ends at its turn, and the next begins`(zone: String) throws {
    let clock = WallClock(zone)
    var now = try Self.moment("2026-11-21T08:00:00Z")
    let end = now + 2 * 366 * 86_400_000
    while now < end {
      let turn = clock.nextPeriodStart(of: .day, after: now)
      let day = clock.period(.day, at: now)
      #expect(turn > now)
      #expect(clock.period(.day, at: turn) == day.next, "\(zone) \(day.label)")
      #expect(clock.period(.day, at: turn - 1) == day)
      now = turn
    }
  }
}
