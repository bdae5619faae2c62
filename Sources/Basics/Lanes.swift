/// Waiting elements in lanes. Lanes take turns, and each lane is first in, first out: no lane waits behind the backlog
/// of another. Inlinable, so that other modules specialize it.
@usableFromInline package struct Lanes<Lane: Hashable & Sendable, Element: Sendable>: Sendable {
  @usableFromInline package internal(set) var count = 0
  @usableFromInline var lanes: [Lane: Fifo<Element>] = [:]
  /// The lanes with elements, in the order of their turns.
  @usableFromInline var turns = Fifo<Lane>()

  @inlinable package init() {}

  @inlinable package func count(of lane: Lane) -> Int { lanes[lane]?.count ?? 0 }

  @inlinable package mutating func append(_ element: Element, to lane: Lane) {
    if count(of: lane) == 0 { turns.append(lane) }
    lanes[lane, default: Fifo()].append(element)
    count += 1
  }

  /// Removes the first element of the lane whose turn it is.
  @inlinable package mutating func popFirst() -> Element? {
    guard let lane = turns.popFirst(), let element = lanes[lane]?.popFirst() else { return nil }
    count -= 1
    if count(of: lane) == 0 { lanes.removeValue(forKey: lane) } else { turns.append(lane) }
    return element
  }

  /// Undoes `popFirst`. Several elements are put back from the last one to the first.
  @inlinable package mutating func putBack(_ element: Element, to lane: Lane) {
    if count(of: lane) == 0 { turns.prepend(lane) } else { turns.moveToFront(lane) }
    lanes[lane, default: Fifo()].prepend(element)
    count += 1
  }

  /// Removes the newest element of the longest lane for which `canLose` returns true, if that lane has more than
  /// `length` elements. Takes time proportional to the number of lanes.
  @inlinable package mutating func popLast(
    ofLaneLongerThan length: Int,
    where canLose: (Lane) -> Bool = { _ in true }
  ) -> Element? {
    var longest: (lane: Lane, count: Int)?
    for (lane, waiting) in lanes where waiting.count > longest?.count ?? length && canLose(lane) {
      longest = (lane, waiting.count)
    }
    guard let lane = longest?.lane, let element = lanes[lane]?.popLast() else { return nil }
    count -= 1
    // The turn of the lane is removed with its only element.
    if count(of: lane) == 0 {
      lanes.removeValue(forKey: lane)
      turns.remove(lane)
    }
    return element
  }
}
