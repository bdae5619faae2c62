/// A first-in, first-out queue with amortized constant time. Inlinable, so that other modules specialize it: otherwise
/// an event takes 320 instructions more for each subscriber.
@usableFromInline package struct Fifo<Element> {
  @usableFromInline var elements: [Element?] = []
  /// The index of the first remaining element.
  @usableFromInline var first = 0

  @inlinable package var count: Int { elements.count - first }
  @inlinable package var isEmpty: Bool { count == 0 }

  @inlinable package init() {}

  @inlinable package mutating func append(_ element: Element) { elements.append(element) }

  @inlinable package mutating func prepend(_ element: Element) {
    if first > 0 {
      first -= 1
      elements[first] = element
    } else {
      elements.insert(element, at: 0)
    }
  }

  /// Inserts elements in front, in their order.
  @inlinable package mutating func prepend(contentsOf added: [Element]) {
    // At once: where nothing was removed in front, each insertion would move all elements.
    let start = max(0, first - added.count)
    elements.replaceSubrange(start..<first, with: added.map(Optional.some))
    first = start
  }

  @inlinable package mutating func popFirst() -> Element? {
    guard first < elements.count else { return nil }
    // Releases the element immediately.
    let element = elements[first].take()
    first += 1
    if first == elements.count {
      elements.removeAll(keepingCapacity: true)
      first = 0
    } else if first > 32 && first * 2 > elements.count {
      elements.removeFirst(first)
      first = 0
    }
    return element
  }

  /// Removes the first element, unless `condition` returns false for it.
  @inlinable package mutating func popFirst(if condition: (Element) -> Bool) -> Element? {
    guard first < elements.count, let element = elements[first], condition(element) else { return nil }
    return popFirst()
  }

  @inlinable package mutating func popLast() -> Element? {
    guard first < elements.count else { return nil }
    return elements.removeLast()
  }

  @inlinable package mutating func removeAll(where isRemoved: (Element) -> Bool) {
    elements.removeAll { $0.map(isRemoved) ?? true }
    first = 0
  }
}

extension Fifo: Sendable where Element: Sendable {}

extension Fifo where Element: Equatable {
  /// Removes the last element that is equal. The search begins at the end, where those are whose turn has just been.
  @inlinable package mutating func remove(_ element: Element) {
    if let index = elements[first...].lastIndex(of: element) { elements.remove(at: index) }
  }

  @inlinable package mutating func moveToFront(_ element: Element) {
    guard first < elements.count, elements[first] != element else { return }
    remove(element)
    prepend(element)
  }
}
