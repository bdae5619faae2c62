import Testing

@testable import Hearth

@Suite("Days, weeks and months")
struct PeriodTests {
  @Test(arguments: [
    ("1969-12-29", "1970-W01", 1), ("1970-01-01", "1970-W01", 4), ("2000-02-29", "2000-W09", 2),
    ("2020-12-31", "2020-W53", 4), ("2021-01-03", "2020-W53", 7), ("2021-01-04", "2021-W01", 1),
    ("2024-12-29", "2024-W52", 7), ("2024-12-30", "2025-W01", 1), ("2026-11-21", "2026-W47", 6),
    ("2026-12-31", "2026-W53", 4), ("2027-01-03", "2026-W53", 7), ("2027-01-04", "2027-W01", 1),
  ])
  func `a day's week and weekday are those of ISO 8601`(text: String, week: String, weekday: Int64) throws {
    let day = try #require(Period(.day, label: text)).first
    #expect(day.text == text)
    #expect(day.weekday == weekday)
    #expect(Period(.week, containing: day).label == week)
  }

  @Test func `every day of eight centuries follows the last`() {
    var expected = (year: 1800 as Int64, month: 1 as Int64, day: 1 as Int64)
    var day = Day(year: 1800, month: 1, day: 1)
    while expected.year < 2600 {
      #expect(day.date == expected)
      #expect(Day(year: expected.year, month: expected.month, day: expected.day) == day)
      day = day + 1
      if expected.day < CalendarDay.length(ofMonth: Int(expected.month), Int(expected.year)) {
        expected.day += 1
      } else {
        expected = expected.month < 12 ? (expected.year, expected.month + 1, 1) : (expected.year + 1, 1, 1)
      }
    }
  }

  @Test(arguments: [
    (Period.Unit.day, "2024-02-28", "2024-02-29"), (.day, "2023-02-28", "2023-03-01"),
    (.day, "2026-12-31", "2027-01-01"),
    (.week, "2026-W52", "2026-W53"), (.week, "2026-W53", "2027-W01"), (.week, "2025-W52", "2026-W01"),
    (.month, "2026-11", "2026-12"), (.month, "2026-12", "2027-01"), (.month, "2024-02", "2024-03"),
  ])
  func `each is followed by the next, whose label sorts after it`(unit: Period.Unit, label: String, next: String) {
    #expect(Period(unit, label: label)?.next.label == next)
    #expect(label < next)
  }

  @Test(arguments: [
    (Period.Unit.day, "2026-02-29"), (.day, "2026-11"), (.day, "2026-W47"), (.day, "2026-11-21 "), (.day, ""),
    (.week, "2026-W54"), (.week, "2025-W53"), (.week, "2026-W00"), (.week, "2026-w47"), (.week, "2026-47"),
    (.week, "2026-W4"), (.week, "2026W47"), (.week, "26-W47"), (.week, "0000-W01"), (.week, "2026-W47-1"),
    (.month, "2026-13"), (.month, "2026-00"), (.month, "2026-1"), (.month, "2026-W11"), (.month, "2026-11-01"),
    (.month, "+026-11"), (.month, "٢٠٢٦-11"), (.month, "-2026-11"),
  ])
  func `labels outside of the calendar are not periods`(unit: Period.Unit, label: String) {
    #expect(Period(unit, label: label) == nil)
  }
}
