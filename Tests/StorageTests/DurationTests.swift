import Basics
import Testing

@Suite("Whole milliseconds and nanoseconds of a duration")
struct DurationTests {
  struct Example: CustomTestStringConvertible, Sendable {
    let duration: Duration
    let down: Int64
    let up: Int64
    let nanoseconds: UInt64

    var testDescription: String { "\(duration)" }
  }

  private static let attosecond = Duration(secondsComponent: 0, attosecondsComponent: 1)
  private static let longest: Int64 = (1 << 40) * 1000

  static let examples = [
    Example(duration: .zero, down: 0, up: 0, nanoseconds: 0),
    Example(duration: attosecond, down: 0, up: 1, nanoseconds: 0),
    Example(duration: .microseconds(500), down: 0, up: 1, nanoseconds: 500_000),
    Example(duration: .milliseconds(1), down: 1, up: 1, nanoseconds: 1_000_000),
    Example(duration: .milliseconds(1) - attosecond, down: 0, up: 1, nanoseconds: 999_999),
    Example(duration: .milliseconds(1) + attosecond, down: 1, up: 2, nanoseconds: 1_000_000),
    Example(duration: .microseconds(1_500), down: 1, up: 2, nanoseconds: 1_500_000),
    Example(duration: .milliseconds(999) + attosecond, down: 999, up: 1_000, nanoseconds: 999_000_000),
    Example(duration: .seconds(1) - attosecond, down: 999, up: 1_000, nanoseconds: 999_999_999),
    Example(duration: .seconds(61), down: 61_000, up: 61_000, nanoseconds: 61_000_000_000),
    Example(duration: .zero - attosecond, down: 0, up: 0, nanoseconds: 0),
    Example(duration: .seconds(-3), down: 0, up: 0, nanoseconds: 0),
    Example(
      duration: .seconds(Int64.max),
      down: longest,
      up: longest,
      nanoseconds: (1 << 34) * 1_000_000_000
    ),
  ]

  @Test(arguments: examples) func `are rounded exactly, never negative and never too large`(example: Example) {
    #expect(example.duration.millisecondsRoundedDown == example.down)
    #expect(example.duration.millisecondsRoundedUp == example.up)
    #expect(example.duration.nanoseconds == example.nanoseconds)
  }
}
