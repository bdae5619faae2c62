/// A set of positions in a list, as a bit set.
struct PositionSet: Sendable {
  private var words: [UInt64] = []

  /// Inserts a position of a list of `count` elements, the same for all positions.
  mutating func insert(_ position: Int, of count: Int) {
    if words.isEmpty { words = Array(repeating: 0, count: (count + 63) / 64) }
    words[position / 64] |= 1 << UInt64(position % 64)
  }

  /// Whether any position satisfies a condition.
  func hasPosition(where condition: (Int) -> Bool) -> Bool {
    for index in words.indices {
      var rest = words[index]
      while rest != 0 {
        if condition(index * 64 + rest.trailingZeroBitCount) { return true }
        rest &= rest - 1
      }
    }
    return false
  }
}
