/// How many entries an operator can list at once.
package enum ListLimit {
  package static let range = 1...1_000

  /// The nearest possible limit.
  static func clamped(_ limit: Int) -> Int { min(max(limit, range.lowerBound), range.upperBound) }
}
