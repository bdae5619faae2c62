/// A value of a document, or a key of an object: keys are string nodes that precede their values. The nodes of a
/// document are in one buffer in text order, so that parsing allocates nothing per node.
struct JSONNode: BitwiseCopyable, Sendable {
  enum Kind: UInt8, Sendable {
    case null, `false`, `true`
    /// A number without a fraction or exponent.
    case integer
    case decimal
    /// A string without escapes.
    case plainString
    case escapedString
    case array
    case object
  }

  /// The offset of the value's first byte.
  let start: UInt32
  /// The offset after its last byte.
  var end: UInt32
  /// The index after this node and its descendants. While the reader is within a container, the index of the enclosing
  /// container.
  var next: UInt32
  let kind: Kind
}
