/// The limits on a document, beyond which the parser rejects it.
package struct ParseOptions: Hashable, Sendable {
  /// Tokens, without comments. Error code: `TOO_MANY_TOKENS`.
  package var tokens: Int
  /// Bytes of the source, checked before parsing. Error code: `DOCUMENT_TOO_LARGE`.
  package var documentBytes: Int
  /// Nesting depth of selection sets, list and object values and list types. The parser, and all code that traverses a
  /// document, recurses at most to this depth, so this limit prevents stack overflows. Error code: `NESTING_TOO_DEEP`.
  package var depth: Int

  /// The default values are for documents sent by clients.
  package init(tokens: Int = 15_000, documentBytes: Int = 256 * 1024, depth: Int = 64) {
    self.tokens = tokens
    // Nodes store offsets in 32 bits.
    self.documentBytes = min(documentBytes, Int(UInt32.max))
    self.depth = depth
  }

  /// For trusted documents, such as the schema. Only the nesting depth is limited.
  package static let trusted = ParseOptions(tokens: .max, documentBytes: .max)
}
