/// A growing run of plain values that its one owner appends to and clears for the next request.
///
/// Why not an array: what a request collects lies in arrays within classes, and every store through one asks whether
/// the array is shared and whether somebody else is writing. For a dashboard that was most of the engine's time.
@usableFromInline package struct PlainBuffer<Element: BitwiseCopyable>: ~Copyable {
  /// Owned by this value alone, with room for `capacity` elements, of which the first `count` are initialized. Whoever
  /// takes it out for reading (the response writer does) must not outlive the next change. Without room it points to
  /// nothing, and is not followed.
  @usableFromInline var base: UnsafeMutablePointer<Element>
  @usableFromInline var capacity = 0
  @usableFromInline package var count = 0

  /// Takes no memory before there is an element: a state has some for every type of the schema, and most requests touch
  /// a few.
  @usableFromInline package init() {
    base = UnsafeMutablePointer(bitPattern: MemoryLayout<Element>.alignment).unsafelyUnwrapped
  }

  // Elements are plain bytes, so there is nothing to deinitialize.
  deinit { if capacity > 0 { base.deallocate() } }

  @inlinable package var isEmpty: Bool { count == 0 }
  @inlinable package var indices: Range<Int> { 0..<count }

  @inlinable @inline(__always)
  package mutating func append(_ element: Element) {
    if count == capacity { grow(to: count &+ 1) }
    (base + count).initialize(to: element)
    count &+= 1
  }

  /// Appends `element` until there are `length` of them.
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
    let fresh = UnsafeMutablePointer<Element>.allocate(capacity: larger)
    fresh.moveInitialize(from: base, count: count)
    if capacity > 0 { base.deallocate() }
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

  @inlinable package mutating func removeLast() {
    precondition(count > 0)
    count &-= 1
  }
}
