import Basics
import Testing

@Suite("Lanes")
struct LanesTests {
  private struct Item: Sendable {
    let lane: Int64?
    let number: Int
  }

  private static func popAll(_ lanes: inout Lanes<Int64?, String>) -> [String] {
    var popped: [String] = []
    while let element = lanes.popFirst() { popped.append(element) }
    return popped
  }

  @Test func `lanes take turns, whatever their length`() {
    var lanes = Lanes<Int64?, String>()
    for number in 0..<4 { lanes.append("a\(number)", to: 1) }
    for number in 0..<2 { lanes.append("b\(number)", to: 2) }
    lanes.append("own", to: nil)
    #expect(lanes.count == 7 && lanes.count(of: 1) == 4 && lanes.count(of: nil) == 1 && lanes.count(of: 3) == 0)
    #expect(Self.popAll(&lanes) == ["a0", "b0", "own", "a1", "b1", "a2", "a3"])
    #expect(lanes.count == 0)
  }

  @Test func `elements that are put back come in the same order again, before those that came in between`() {
    var lanes = Lanes<Int64?, String>()
    for number in 0..<2 { lanes.append("a\(number)", to: 1) }
    lanes.append("b0", to: 2)
    let popped = (0..<3).map { _ in lanes.popFirst() }
    #expect(popped == ["a0", "b0", "a1"])
    lanes.append("c0", to: 3)
    lanes.append("a2", to: 1)
    lanes.putBack("a1", to: 1)
    lanes.putBack("b0", to: 2)
    #expect(Self.popAll(&lanes) == ["b0", "a1", "c0", "a2"])
  }

  @Test func `the longest lane that can lose elements loses its newest, if it is longer than a length`() {
    var lanes = Lanes<Int64?, String>()
    for number in 0..<3 { lanes.append("a\(number)", to: 1) }
    for number in 0..<5 { lanes.append("own\(number)", to: nil) }
    lanes.append("b0", to: 2)
    let popped = [3, 2, 1, 1].map { length in lanes.popLast(ofLaneLongerThan: length, where: { $0 != nil }) }
    #expect(popped == [nil, "a2", "a1", nil])
    let last = (0..<3).map { _ in lanes.popLast(ofLaneLongerThan: 0, where: { $0 != nil }) }
    #expect(Set(last) == ["a0", "b0", nil])
    #expect(lanes.popLast(ofLaneLongerThan: 4) == "own4")
    #expect(Self.popAll(&lanes) == (0..<4).map { "own\($0)" })
  }

  /// Some lanes have much more than others.
  private static let choices: [Int64?] = [1, 1, 1, 1, 1, 2, 3, nil]

  /// - Parameter isMixed: whether elements come while a group is taken.
  @Test(arguments: 1...20 as ClosedRange<UInt64>, [false, true])
  func `each lane is in order, and waits for at most one element of each other lane`(seed: UInt64, isMixed: Bool) {
    var state = seed
    func random(below limit: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % limit
    }
    var lanes = Lanes<Int64?, Item>()
    var appended: [Int64?: Int] = [:]
    var done: [Int64?: Int] = [:]
    /// For each lane with elements, how many of others are done since its turn before.
    var waited: [Int64?: [Int64?: Int]] = [:]
    func append() {
      let lane = Self.choices[random(below: Self.choices.count)]
      let number = appended[lane, default: 0]
      if number == done[lane, default: 0] { waited[lane] = [:] }
      lanes.append(Item(lane: lane, number: number), to: lane)
      appended[lane] = number + 1
    }
    func finish(_ item: Item) {
      #expect(item.number == done[item.lane, default: 0])
      done[item.lane] = item.number + 1
      waited[item.lane] = [:]
      for (lane, count) in appended where lane != item.lane && count > done[lane, default: 0] {
        waited[lane, default: [:]][item.lane, default: 0] += 1
        if !isMixed { #expect(waited[lane, default: [:]][item.lane, default: 0] <= 1) }
      }
    }
    for _ in 0..<500 {
      for _ in 0..<random(below: 8) { append() }
      var group: [Item] = []
      while group.count < 6, let item = lanes.popFirst() { group.append(item) }
      if isMixed { for _ in 0..<random(below: 3) { append() } }
      let end = random(below: group.count + 1)
      for item in group[..<end] { finish(item) }
      for item in group[end...].reversed() { lanes.putBack(item, to: item.lane) }
      let waiting = appended.reduce(0) { $0 + $1.value } - done.reduce(0) { $0 + $1.value }
      #expect(lanes.count == waiting)
    }
    while let item = lanes.popFirst() { finish(item) }
    #expect(appended == done)
  }
}
