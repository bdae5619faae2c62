/// What a document may cost before it is refused.
package struct ParseOptions: Hashable, Sendable {
  /// Tokens, comments not counted. Past it: `TOO_MANY_TOKENS`.
  package var maxTokens: Int
  /// Bytes of the source. Past it, before any is read: `DOCUMENT_TOO_LARGE`.
  package var maxBytes: Int
  /// How deep selection sets, list and object values and list types may lie in one another. Past it:
  /// `NESTING_TOO_DEEP`. The parser, and whoever walks its document, recurses this deep at most, so it is what keeps
  /// a document from overflowing a thread's stack.
  package var maxDepth: Int

  /// The defaults are for documents that clients send.
  package init(maxTokens: Int = 15_000, maxBytes: Int = 256 * 1024, maxDepth: Int = 64) {
    self.maxTokens = maxTokens
    // Nodes hold offsets in 32 bits.
    self.maxBytes = min(maxBytes, Int(UInt32.max))
    self.maxDepth = maxDepth
  }

  /// For documents of our own, such as the schema: only nesting is bounded.
  package static let trusted = ParseOptions(maxTokens: .max, maxBytes: .max)
}
