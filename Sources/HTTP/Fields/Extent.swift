/// A range of a request's bytes, relative to its first byte, in half the size of a `Range<Int>`. `HTTPLimits` keeps
/// heads far below the range of 32 bits.
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
