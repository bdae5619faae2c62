/// The limits on a text. A node takes sixteen bytes for at least two bytes of text, so the first limit bounds the
/// memory too.
package struct JSONLimits: Sendable, Equatable {
  /// Bytes of the text.
  package var bytes: Int
  /// Nesting depth of arrays and objects.
  package var depth: Int
  /// Bytes of a number. No `Double` depends on more than 800 digits, and exact conversion takes time quadratic in the
  /// number of digits.
  package var numberBytes: Int

  package init(bytes: Int = 1 << 20, depth: Int = 100, numberBytes: Int = 1024) {
    // Offsets are 32-bit numbers.
    self.bytes = max(0, min(bytes, 1 << 30))
    self.depth = max(0, depth)
    self.numberBytes = max(1, numberBytes)
  }
}
