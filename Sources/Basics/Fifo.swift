/// A first-in, first-out queue with amortized constant time.
package struct Fifo<Element> {
  private var elements: [Element?] = []
  /// The index of the first remaining element.
  private var first = 0

  package var count: Int { elements.count - first }
  package var isEmpty: Bool { count == 0 }

  package init() {}

  package mutating func append(_ element: Element) { elements.append(element) }

  package mutating func prepend(_ element: Element) {
    if first > 0 {
      first -= 1
      elements[first] = element
    } else {
      elements.insert(element, at: 0)
    }
  }

  package mutating func popFirst() -> Element? {
    guard first < elements.count else { return nil }
    // Releases the element immediately.
    let element = elements[first].take()
    first += 1
    // Also when none remains: a queue that is emptied after each element needs no memory for many.
    if first == elements.count || first > 32 && first * 2 > elements.count {
      elements.removeFirst(first)
      first = 0
    }
    return element
  }

  package mutating func popLast() -> Element? {
    guard first < elements.count else { return nil }
    return elements.removeLast()
  }

  package mutating func removeAll(where isRemoved: (Element) -> Bool) {
    elements.removeAll { $0.map(isRemoved) ?? true }
    first = 0
  }
}

extension Fifo: Sendable where Element: Sendable {}

extension Fifo where Element: Equatable {
  /// Removes the last element that is equal. The search begins at the end, where those are whose turn has just been.
  package mutating func remove(_ element: Element) {
    if let index = elements[first...].lastIndex(of: element) { elements.remove(at: index) }
  }

  package mutating func moveToFront(_ element: Element) {
    guard first < elements.count, elements[first] != element else { return }
    remove(element)
    prepend(element)
  }
}
