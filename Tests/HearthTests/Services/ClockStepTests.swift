import Testing

@testable import Hearth

@Suite("Steps of the clock")
struct ClockStepTests {
  private static let minute = Milliseconds.minute
  private static let hour = Milliseconds.hour
  private static let day = Milliseconds.day
  private static let settlingTime = 15 * minute
  /// When the process begins, by the wall clock.
  private static let start = 20_000 * day

  private struct Case: Sendable {
    let name: String
    /// Readings: the time since the beginning, and by how much the wall clock differs from it then.
    let readings: [(elapsed: Int64, offset: Int64)]
    let steps: [Int64]
    /// After the last reading.
    let wait: Int64
    /// After the last reading: the stretch in which the moved deadlines were set, without the tolerance.
    var moves: [DeadlineMove] = []
  }

  private static func move(from begin: Int64, until end: Int64, by length: Int64) -> DeadlineMove {
    DeadlineMove(setFrom: start + begin - minute, setUntil: start + end + minute, length: length)
  }

  private static let cases = [
    Case(name: "the beginning", readings: [], steps: [], wait: settlingTime),
    Case(
      name: "a clock that is never set is settled after the time",
      readings: [(settlingTime - 1, 0), (settlingTime, 0)],
      steps: [],
      wait: 0
    ),
    Case(
      name: "a clock that is adjusted continuously is not set",
      readings: [(hour, minute), (2 * hour, 2 * minute), (3 * hour, minute)],
      steps: [],
      wait: 0
    ),
    Case(
      name: "a step of more than a minute begins the time again",
      readings: [(hour, minute + 1), (hour + 5 * minute, minute + 1)],
      steps: [minute + 1],
      wait: 10 * minute
    ),
    Case(
      name: "so does a step back",
      readings: [(hour, -hour)],
      steps: [-hour],
      wait: settlingTime
    ),
    Case(
      name: "of a step that is taken back nothing remains",
      readings: [(hour, 31 * day), (hour + 4_000, 0), (2 * hour, 0)],
      steps: [31 * day, -31 * day],
      wait: 0
    ),
    Case(
      name: "deadlines that were set before a step forward are moved",
      readings: [(minute, 0), (10 * minute, 20 * day), (hour, 20 * day)],
      steps: [20 * day],
      wait: 0,
      moves: [move(from: 0, until: 10 * minute, by: 20 * day)]
    ),
    Case(
      name: "deadlines are not moved by up to a day",
      readings: [(hour, day), (2 * hour, day)],
      steps: [day],
      wait: 0
    ),
    Case(
      name: "those that were set while the clock was behind are moved, and no others",
      readings: [(day, 0), (day + minute, -20 * day), (day + 5 * minute, 0)],
      steps: [-20 * day, 20 * day],
      wait: settlingTime,
      moves: [move(from: -19 * day, until: -19 * day + 5 * minute, by: 20 * day)]
    ),
  ]

  @Test(arguments: cases.indices)
  func `are noticed, begin the settling time again, and move deadlines`(number: Int) {
    let test = Self.cases[number]
    func reading(_ elapsed: Int64, _ offset: Int64) -> ClockSteps.Reading {
      ClockSteps.Reading(time: Self.start + elapsed + offset, elapsed: elapsed)
    }
    var steps = ClockSteps(reading(0, 0), settlingTime: Self.settlingTime)
    let found = test.readings.compactMap { elapsed, offset in steps.note(reading(elapsed, offset)) }
    #expect(found == test.steps, "\(test.name)")
    #expect(steps.wait == test.wait, "\(test.name)")
    #expect(steps.moves == test.moves, "\(test.name)")
    steps.didMove(to: steps.offset)
    #expect(steps.moves == [], "\(test.name)")
  }

  @Test func `deadlines that were moved are not moved back, and moved again only by a step that goes further`() {
    func reading(_ elapsed: Int64, _ offset: Int64) -> ClockSteps.Reading {
      ClockSteps.Reading(time: Self.start + elapsed + offset, elapsed: elapsed)
    }
    let (minute, day) = (Self.minute, Self.day)
    var steps = ClockSteps(reading(0, 0), settlingTime: Self.settlingTime)
    _ = steps.note(reading(minute, 20 * day))
    steps.didMove(to: steps.offset)
    _ = steps.note(reading(2 * minute, 0))
    #expect(steps.moves == [])
    _ = steps.note(reading(3 * minute, 20 * day))
    // Only those that were set after the clock was set back.
    #expect(steps.moves == [Self.move(from: minute, until: 3 * minute, by: 20 * day)])
    steps.didMove(to: steps.offset)
    _ = steps.note(reading(4 * minute, 30 * day))
    #expect(steps.moves == [Self.move(from: 20 * day, until: 20 * day + 4 * minute, by: 10 * day)])
  }
}
