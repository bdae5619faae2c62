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
  private struct Kind: Sendable {
    var lanes: [WorkLane: Fifo<Element>] = [:]
    /// The lanes with elements, in the order of their turns.
    var turns = Fifo<WorkLane>()
    var count = 0
  }

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
  private var kinds: [UInt8: Kind] = [:]
  /// The kinds with elements, in the order of their turns.
  private var turns = Fifo<UInt8>()

  package init(laneLimit: Int) { self.laneLimit = laneLimit }

  var isEmpty: Bool { count == 0 }

  /// - Parameter limit: The maximum number of elements of the queue.
  package mutating func append(_ element: Element, to lane: WorkLane, limit: Int) -> Admission {
    let length = kinds[lane.kind]?.lanes[lane]?.count ?? 0
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
    guard let next = turns.popFirst(), var kind = kinds.removeValue(forKey: next), let lane = kind.turns.popFirst(),
      var waiting = kind.lanes.removeValue(forKey: lane), let element = waiting.popFirst()
    else { return nil }
    count -= 1
    kind.count -= 1
    if !waiting.isEmpty {
      kind.lanes[lane] = waiting
      kind.turns.append(lane)
    }
    if kind.count > 0 {
      kinds[next] = kind
      turns.append(next)
    }
    return element
  }

  private mutating func add(_ element: Element, to lane: WorkLane) {
    if kinds[lane.kind] == nil { turns.append(lane.kind) }
    if kinds[lane.kind]?.lanes[lane] == nil { kinds[lane.kind, default: Kind()].turns.append(lane) }
    kinds[lane.kind]?.lanes[lane, default: Fifo()].append(element)
    kinds[lane.kind]?.count += 1
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
    guard let longest = kinds[kind]?.lanes.max(by: { $0.value.count < $1.value.count }) else { return nil }
    guard kind != lane.kind || longest.value.count > length + 1 else { return nil }
    let element = kinds[kind]?.lanes[longest.key]?.popLast()
    kinds[kind]?.count -= 1
    count -= 1
    // The turn of the lane is removed with its only element.
    if kinds[kind]?.lanes[longest.key]?.isEmpty == true {
      kinds[kind]?.lanes[longest.key] = nil
      kinds[kind]?.turns.remove(longest.key)
    }
    if kinds[kind]?.count == 0 {
      kinds[kind] = nil
      turns.remove(kind)
    }
    return element
  }
}
