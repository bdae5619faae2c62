/// The lane in which work waits: work of one kind for one client.
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

/// A bounded queue in which no lane waits behind another's backlog: kinds take turns, within a kind its lanes take
/// turns, and a lane is first in, first out.
///
/// When the queue is full, the newest element of the longest lane makes room for a shorter lane. So a client that fills
/// the queue displaces its own work only. There are at most as many lanes as elements.
struct FairQueue<Element: Sendable>: Sendable {
  private struct Kind: Sendable {
    var lanes: [WorkLane: Fifo<Element>] = [:]
    /// The lanes with elements, in the order of their turns.
    var turns = Fifo<WorkLane>()
    var count = 0
  }

  enum Admission: Sendable {
    case accepted
    /// An element that waited was removed to make room.
    case displaced(Element)
    /// The lane, or the queue, is full.
    case rejected
  }

  /// The most elements that one lane may hold.
  let laneLimit: Int
  private(set) var count = 0
  private var kinds: [UInt8: Kind] = [:]
  /// The kinds with elements, in the order of their turns.
  private var turns = Fifo<UInt8>()

  init(laneLimit: Int) { self.laneLimit = laneLimit }

  var isEmpty: Bool { count == 0 }

  /// - Parameter limit: the most elements that the queue may hold now.
  mutating func append(_ element: Element, to lane: WorkLane, limit: Int) -> Admission {
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

  mutating func popFirst() -> Element? {
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

  /// Removes the newest element of the longest lane of the kind with the most elements; nil when the lane that asks
  /// would become as long, or its kind as large. Takes time in proportion to the lanes, and only when the queue is
  /// full.
  private mutating func makeRoom(for lane: WorkLane, length: Int) -> Element? {
    let own = kinds[lane.kind]?.count ?? 0
    // Another kind gives way when it holds more than this one would. Among the lanes of one kind the longest does.
    let largest = kinds.max { ($0.value.count, $0.key) < ($1.value.count, $1.key) }
    guard let largest else { return nil }
    let kind = largest.value.count > own + 1 ? largest.key : lane.kind
    guard let longest = kinds[kind]?.lanes.max(by: { $0.value.count < $1.value.count }) else { return nil }
    guard kind != lane.kind || longest.value.count > length + 1 else { return nil }
    let element = kinds[kind]?.lanes[longest.key]?.popLast()
    kinds[kind]?.count -= 1
    count -= 1
    // The lane's turn goes with its only element.
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

/// First in, first out, in constant time on average.
private struct Fifo<Element: Sendable>: Sendable {
  private var elements: [Element?] = []
  /// Where the first element that is left lies.
  private var first = 0

  var count: Int { elements.count - first }
  var isEmpty: Bool { count == 0 }

  mutating func append(_ element: Element) { elements.append(element) }

  mutating func popFirst() -> Element? {
    guard first < elements.count else { return nil }
    // What was taken is released at once.
    let element = elements[first].take()
    first += 1
    if first > 32 && first * 2 > elements.count {
      elements.removeFirst(first)
      first = 0
    }
    return element
  }

  mutating func popLast() -> Element? {
    guard first < elements.count else { return nil }
    return elements.removeLast()
  }
}

extension Fifo where Element: Equatable {
  mutating func remove(_ element: Element) {
    if let index = elements[first...].firstIndex(of: element) { elements.remove(at: index) }
  }
}
