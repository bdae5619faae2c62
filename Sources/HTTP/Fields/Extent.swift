/// A run of a request's bytes, counted from its first: half the size of a `Range<Int>`. Heads are bounded far below
/// what 32 bits can count (`HTTPLimits`).
struct Extent: Sendable, Equatable {
  private let start: UInt32
  private let end: UInt32

  @inline(__always)
  init() { self.init(0..<0) }

  @inline(__always)
  init(_ range: Range<Int>) {
    start = UInt32(truncatingIfNeeded: range.lowerBound)
    end = UInt32(truncatingIfNeeded: range.upperBound)
  }

  @inline(__always)
  var range: Range<Int> { Range(uncheckedBounds: (Int(start), Int(end))) }
  @inline(__always)
  var isEmpty: Bool { start == end }
}
