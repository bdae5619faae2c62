import Testing

@testable import Hearth

@Suite("Members whose queries start off the loop")
struct SlowCallersTests {
  private let ada = GlobalID(.person, number: 1)
  private let grace = GlobalID(.person, number: 2)
  private let threeMilliseconds: UInt64 = 3_000_000

  @Test func `are those of whom one took too long, for two seconds`() {
    var callers = SlowCallers()
    callers.insert(ada, at: 1_000)
    #expect(callers.contains(ada, at: 2_999))
    #expect(!callers.contains(ada, at: 3_000))
    #expect(!callers.contains(grace, at: 1_000))
    #expect(!callers.contains(nil, at: 1_000))
  }

  @Test func `are those whose short ones take more than their share of the loop`() {
    var callers = SlowCallers()
    for _ in 0..<6 { callers.charge(ada, nanoseconds: threeMilliseconds, at: 1_000) }
    #expect(!callers.contains(ada, at: 1_000))
    callers.charge(ada, nanoseconds: threeMilliseconds, at: 1_500)
    #expect(callers.contains(ada, at: 3_499))
    #expect(!callers.contains(ada, at: 3_500))
  }

  @Test func `are none of those who ask now and then`() {
    var callers = SlowCallers()
    for second in 0..<100 { callers.charge(ada, nanoseconds: threeMilliseconds, at: Int64(second) * 1_000) }
    #expect(!callers.contains(ada, at: 100_000))
  }

  @Test func `are remembered in a bounded memory`() {
    var callers = SlowCallers()
    for number in 0..<5_000 { callers.insert(GlobalID(.person, number: Int64(number)), at: 1_000) }
    #expect(callers.contains(GlobalID(.person, number: 0), at: 1_000))
    #expect(!callers.contains(GlobalID(.person, number: 4_999), at: 1_000))
    // Those of before make room.
    callers.insert(GlobalID(.person, number: 4_999), at: 9_000)
    #expect(callers.contains(GlobalID(.person, number: 4_999), at: 9_000))
  }
}
