import Testing

@testable import Hearth

@Suite("Members whose queries start off the loop")
struct SlowCallersTests {
  private let ada = GlobalID(.person, number: 1)
  private let grace = GlobalID(.person, number: 2)

  @Test func `are those who were noted, for two seconds`() {
    let callers = SlowCallers()
    callers.insert(ada, at: 1_000)
    #expect(callers.contains(ada, at: 2_999))
    #expect(!callers.contains(ada, at: 3_000))
    #expect(!callers.contains(grace, at: 1_000))
    #expect(!callers.contains(nil, at: 1_000))
  }

  @Test func `are remembered in a bounded memory`() {
    let callers = SlowCallers()
    for number in 0..<5_000 { callers.insert(GlobalID(.person, number: Int64(number)), at: 1_000) }
    #expect(callers.contains(GlobalID(.person, number: 0), at: 1_000))
    #expect(!callers.contains(GlobalID(.person, number: 4_999), at: 1_000))
    // Older entries make room.
    callers.insert(GlobalID(.person, number: 4_999), at: 9_000)
    #expect(callers.contains(GlobalID(.person, number: 4_999), at: 9_000))
  }
}
