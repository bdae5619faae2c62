/// A first-in, first-out queue. However long it is, each element is moved twice at most.
struct Queue<Element> {
  private var incoming: [Element] = []
  /// In reverse order.
  private var outgoing: [Element] = []

  var count: Int { incoming.count + outgoing.count }
  var isEmpty: Bool { count == 0 }

  mutating func enqueue(_ element: Element) { incoming.append(element) }

  mutating func dequeue() -> Element? {
    if outgoing.isEmpty {
      swap(&incoming, &outgoing)
      outgoing.reverse()
    }
    return outgoing.popLast()
  }

  mutating func removeAll(where isRemoved: (Element) -> Bool) {
    incoming.removeAll(where: isRemoved)
    outgoing.removeAll(where: isRemoved)
  }
}
