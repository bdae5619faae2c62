import Basics

/// The lane of queued work: work of one kind for one client.
package struct WorkLane: Hashable, Sendable {
  /// The kind of work. Kinds take turns.
  package let kind: UInt8
  /// The client, such as the hash of its network. The clients of a kind take turns.
  package let client: Int

  package init(kind: UInt8, client: Int) {
    self.kind = kind
    self.client = client
  }

  /// The lane of pools that serve all callers in order of arrival.
  package static let common = WorkLane(kind: 0, client: 0)
}

/// A bounded fair queue: kinds take turns, the lanes of a kind take turns, and each lane is first in, first out. No
/// lane waits behind the backlog of another.
///
/// When the queue is full, the newest element of the longest lane makes room for a shorter lane. A client that fills
/// the queue thus displaces its own work only. There are at most as many lanes as elements.
package struct FairQueue<Element: Sendable>: Sendable {
  package enum Admission: Sendable {
    case accepted
    /// A queued element was removed to make room.
    case displaced(Element)
    /// The lane, or the queue, is full.
    case rejected
  }

  /// The maximum number of elements of a lane.
  let laneLimit: Int
  package private(set) var count = 0
  /// For each kind with elements, the lanes of its clients.
  private var kinds: [UInt8: Lanes<Int, Element>] = [:]
  /// The kinds with elements, in the order of their turns.
  private var turns = Fifo<UInt8>()

  package init(laneLimit: Int) { self.laneLimit = laneLimit }

  var isEmpty: Bool { count == 0 }

  /// - Parameter limit: The maximum number of elements of the queue.
  package mutating func append(_ element: Element, to lane: WorkLane, limit: Int) -> Admission {
    let length = kinds[lane.kind]?.count(of: lane.client) ?? 0
    guard length < laneLimit else { return .rejected }
    guard count >= limit else {
      add(element, to: lane)
      return .accepted
    }
    guard let displaced = makeRoom(for: lane, length: length) else { return .rejected }
    add(element, to: lane)
    return .displaced(displaced)
  }

  package mutating func popFirst() -> Element? {
    guard let kind = turns.popFirst(), let element = kinds[kind]?.popFirst() else { return nil }
    count -= 1
    if kinds[kind]?.count == 0 { kinds.removeValue(forKey: kind) } else { turns.append(kind) }
    return element
  }

  private mutating func add(_ element: Element, to lane: WorkLane) {
    if kinds[lane.kind] == nil { turns.append(lane.kind) }
    kinds[lane.kind, default: Lanes()].append(element, to: lane.client)
    count += 1
  }

  /// Removes the newest element of the longest lane of the kind with the most elements. Returns nil if the requesting
  /// lane would become as long, or its kind as large. Takes time proportional to the number of lanes, and only when the
  /// queue is full.
  private mutating func makeRoom(for lane: WorkLane, length: Int) -> Element? {
    let own = kinds[lane.kind]?.count ?? 0
    // Another kind makes room if it holds more elements than this one would. Within a kind, the longest lane does.
    let largest = kinds.max { ($0.value.count, $0.key) < ($1.value.count, $1.key) }
    guard let largest else { return nil }
    let kind = largest.value.count > own + 1 ? largest.key : lane.kind
    let minimum = kind == lane.kind ? length + 1 : 0
    guard let element = kinds[kind]?.popLast(ofLaneLongerThan: minimum) else { return nil }
    count -= 1
    if kinds[kind]?.count == 0 {
      kinds.removeValue(forKey: kind)
      turns.remove(kind)
    }
    return element
  }
}
