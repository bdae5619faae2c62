/// A set of positions in a list, as a bit set.
struct PositionSet {
  private var words: [UInt64] = []

  var isEmpty: Bool { words.isEmpty }

  /// Inserts a position of a list of `count` elements, the same for all positions.
  mutating func insert(_ position: Int, of count: Int) {
    if words.isEmpty { words = Array(repeating: 0, count: (count + 63) / 64) }
    words[position / 64] |= 1 << UInt64(position % 64)
  }

  /// The elements of a list at the positions, in its order.
  func elements<Element>(of list: [Element]) -> [Element] {
    var elements: [Element] = []
    elements.reserveCapacity(words.reduce(0) { $0 + $1.nonzeroBitCount })
    for (index, word) in words.enumerated() {
      var rest = word
      while rest != 0 {
        elements.append(list[index * 64 + rest.trailingZeroBitCount])
        rest &= rest - 1
      }
    }
    return elements
  }
}
