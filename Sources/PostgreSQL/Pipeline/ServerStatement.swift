/// The text of a statement with parameters `$1`, `$2`, …
package struct ServerStatement: Sendable {
  package let text: String
  /// The types of the parameters, so that the server need not infer them from the text.
  package let types: [ServerType]
  /// The index of the prepared statement in every connection, consecutive from 0. Nil: the statement is parsed each
  /// time.
  package let slot: Int?

  package init(_ text: String, types: [ServerType] = [], slot: Int? = nil) {
    self.text = text
    self.types = types
    self.slot = slot
  }
}
