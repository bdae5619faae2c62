/// A growing buffer of trivial values with a single owner, which appends to it and clears it for the next request.
///
/// The data of a request is stored in properties of classes. If these were arrays, every store would check for
/// uniqueness and exclusivity. For a dashboard query that took most of the engine's time. An array also takes 250
/// instructions more to allocate and release, as the nodes of a JSON text showed.
@usableFromInline package struct PlainBuffer<Element: BitwiseCopyable>: ~Copyable {
  /// Owned exclusively by this value, with capacity for `capacity` elements, of which the first `count` are
  /// initialized. Code that copies the pointer to read (the response writer does) must not use it after the next
  /// change. With capacity 0 the pointer is dangling, and never dereferenced.
  @usableFromInline package internal(set) var base: UnsafeMutablePointer<Element>
  @usableFromInline var capacity = 0
  @usableFromInline package var count = 0

  /// Allocates nothing before the first element: an execution state has several buffers for every type of the schema,
  /// and most requests use a few types.
  @usableFromInline package init() {
    base = UnsafeMutablePointer(bitPattern: MemoryLayout<Element>.alignment).unsafelyUnwrapped
  }

  // Elements are trivial, so there is nothing to deinitialize.
  deinit { if capacity > 0 { Memory.release(base) } }

  @inlinable package var isEmpty: Bool { count == 0 }
  @inlinable package var indices: Range<Int> { 0..<count }

  @inlinable @inline(__always)
  package mutating func append(_ element: Element) {
    if count == capacity { grow(to: count &+ 1) }
    (base + count).initialize(to: element)
    count &+= 1
  }

  /// Appends copies of `element` until the buffer has `length` elements.
  @inlinable @inline(__always)
  package mutating func extend(to length: Int, with element: Element) {
    guard length > count else { return }
    if length > capacity { grow(to: length) }
    (base + count).initialize(repeating: element, count: length &- count)
    count = length
  }

  @usableFromInline @inline(never)
  mutating func grow(to needed: Int) {
    let larger = max(capacity * 2, needed, 16)
    let fresh = Memory.allocate(larger * MemoryLayout<Element>.stride).bindMemory(to: Element.self, capacity: larger)
    fresh.moveInitialize(from: base, count: count)
    if capacity > 0 { Memory.release(base) }
    base = fresh
    capacity = larger
  }

  @inlinable package subscript(index: Int) -> Element {
    @inline(__always) get {
      precondition(UInt(bitPattern: index) < UInt(bitPattern: count))
      return base[index]
    }
    @inline(__always) set {
      precondition(UInt(bitPattern: index) < UInt(bitPattern: count))
      base[index] = newValue
    }
  }

  @inlinable package mutating func removeAll() { count = 0 }

  /// Removes the first `length` elements and moves the rest to the front.
  @inlinable package mutating func removeFirst(_ length: Int) {
    precondition(length <= count)
    count &-= length
    base.update(from: base + length, count: count)
  }

  package mutating func removeAll(where isRemoved: (Element) -> Bool) {
    var kept = 0
    for index in 0..<count where !isRemoved(base[index]) {
      base[kept] = base[index]
      kept &+= 1
    }
    count = kept
  }

  @inlinable package mutating func removeLast(_ length: Int = 1) {
    precondition(length >= 0 && length <= count)
    count &-= length
  }
}

// `@unchecked Sendable`: a noncopyable value has one owner at a time, and moving it transfers its memory.
extension PlainBuffer: @unchecked Sendable where Element: Sendable {}
