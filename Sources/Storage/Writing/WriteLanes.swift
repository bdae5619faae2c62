import Basics

/// Waiting elements in lanes. Lanes take turns, and each lane is first in, first out: no lane waits behind the backlog
/// of another.
///
/// A lane is the key of those whose writes share it; nil is the lane of the server's own writes.
struct WriteLanes<Element: Sendable>: Sendable {
  private(set) var count = 0
  private var lanes: [Int64?: Fifo<Element>] = [:]
  /// The lanes with elements, in the order of their turns.
  private var turns = Fifo<Int64?>()

  func count(of lane: Int64?) -> Int { lanes[lane]?.count ?? 0 }

  mutating func append(_ element: Element, to lane: Int64?) {
    if count(of: lane) == 0 { turns.append(lane) }
    lanes[lane, default: Fifo()].append(element)
    count += 1
  }

  /// Removes the first element of the lane whose turn it is.
  mutating func popFirst() -> Element? {
    guard let lane = turns.popFirst(), let element = lanes[lane]?.popFirst() else { return nil }
    count -= 1
    if count(of: lane) == 0 { lanes.removeValue(forKey: lane) } else { turns.append(lane) }
    return element
  }

  /// Undoes `popFirst`. Several elements are put back from the last one to the first.
  mutating func putBack(_ element: Element, to lane: Int64?) {
    if count(of: lane) == 0 { turns.prepend(lane) } else { turns.moveToFront(lane) }
    lanes[lane, default: Fifo()].prepend(element)
    count += 1
  }

  /// Removes the newest element of the longest lane, if that has more than `length` elements. The server's own writes
  /// stay. Takes time proportional to the number of lanes.
  mutating func popLast(ofLaneLongerThan length: Int) -> Element? {
    let longest = lanes.filter { lane, _ in lane != nil }.max { $0.value.count < $1.value.count }
    guard let longest, longest.value.count > length else { return nil }
    let element = lanes[longest.key]?.popLast()
    count -= 1
    if count(of: longest.key) == 0 {
      lanes.removeValue(forKey: longest.key)
      turns.remove(longest.key)
    }
    return element
  }
}
