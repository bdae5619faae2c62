/// One value of a document, or one key of an object: keys are string nodes of their own, right before their values. The
/// nodes of a document are in one array, in the order of the text, so that reading allocates nothing for each.
struct JSONNode: Sendable {
  enum Kind: UInt8, Sendable {
    case null, `false`, `true`
    /// A number without fraction and exponent.
    case integer
    case decimal
    /// A string without escapes: its bytes are its text.
    case plainString
    case escapedString
    case array
    case object
  }

  /// The value's first byte in the text.
  let start: UInt32
  /// The byte after its last.
  var end: UInt32
  /// The node after this one and all within it. While the reader has a container open: the one around it.
  var next: UInt32
  let kind: Kind
}
