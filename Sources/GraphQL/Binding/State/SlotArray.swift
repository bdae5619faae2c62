/// Growing places for values that cannot be copied, each worked on where it lies.
///
/// Why not an array of objects: an array hands out its elements by counting references, twice for every token and row
/// that a request touches. For a dashboard that was an eighth of the server's time.
struct SlotArray<Element: ~Copyable>: ~Copyable {
  /// Owned by this value alone, with room for `capacity` elements, of which the first `count` are initialized. It never
  /// leaves.
  var base: UnsafeMutablePointer<Element>
  private var capacity = 4
  private(set) var count = 0

  init() { base = .allocate(capacity: capacity) }

  deinit {
    base.deinitialize(count: count)
    base.deallocate()
  }

  mutating func append(_ element: consuming Element) {
    if count == capacity {
      capacity *= 2
      let fresh = UnsafeMutablePointer<Element>.allocate(capacity: capacity)
      fresh.moveInitialize(from: base, count: count)
      base.deallocate()
      base = fresh
    }
    (base + count).initialize(to: element)
    count += 1
  }

  subscript(index: Int) -> Element {
    @inline(__always) _read {
      precondition(UInt(bitPattern: index) < UInt(bitPattern: count))
      yield base[index]
    }
    @inline(__always) _modify {
      precondition(UInt(bitPattern: index) < UInt(bitPattern: count))
      yield &base[index]
    }
  }
}
