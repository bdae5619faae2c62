/// How much a text may ask of the reader. Nodes take sixteen bytes for at least two of the text's, so that the first
/// limit bounds the memory too.
package struct JSONLimits: Sendable, Equatable {
  /// Bytes of the text.
  package var bytes: Int
  /// Arrays and objects within one another.
  package var depth: Int
  /// Bytes of one number. No `Double` depends on more than 800 digits, and exact conversion takes the square of their
  /// number.
  package var numberBytes: Int

  package init(bytes: Int = 1 << 20, depth: Int = 100, numberBytes: Int = 1024) {
    // Places are kept as 32-bit numbers.
    self.bytes = max(0, min(bytes, 1 << 30))
    self.depth = max(0, depth)
    self.numberBytes = max(1, numberBytes)
  }
}
