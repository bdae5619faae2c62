import Basics

extension SeededGenerator {
  /// Some offsets within `count` bytes, in ascending order.
  mutating func cuts(in count: Int) -> [Int] {
    guard count > 1 else { return [] }
    return (0..<Int.random(in: 1...8, using: &self)).map { _ in Int.random(in: 1..<count, using: &self) }.sorted()
  }
}
