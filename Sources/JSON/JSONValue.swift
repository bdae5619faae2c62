/// A value within a document: its place there. What it is not, it says by nil.
package struct JSONValue: Sendable {
  package enum Kind: Sendable {
    case null, boolean, number, string, array, object
  }

  let document: JSONDocument
  let index: Int

  private var node: JSONNode { document.nodes[index] }
  var next: Int { Int(node.next) }

  package var kind: Kind {
    switch node.kind {
    case .null: .null
    case .true, .false: .boolean
    case .integer, .decimal: .number
    case .plainString, .escapedString: .string
    case .array: .array
    case .object: .object
    }
  }

  package var isNull: Bool { node.kind == .null }

  /// The value as it stands in the text, quotation marks, brackets and all.
  package var rawBytes: ArraySlice<UInt8> { document.bytes(from: Int(node.start), to: Int(node.end)) }

  /// The value's first byte, counted from the beginning of the text. No two values have the same.
  package var offset: Int { Int(node.start) }

  /// Bytes of the whole text that this value is a part of.
  package var textBytes: Int { document.text.count }

  /// How many values and keys this value is made of, itself included. Takes constant time.
  package var nodeCount: Int { next &- index }
}

extension JSONValue {
  package var bool: Bool? {
    switch node.kind {
    case .true: true
    case .false: false
    default: nil
    }
  }

  /// A whole number, exactly; nil if it is not whole or does not fit. `1.0` and `1e3` are whole too, and are taken up
  /// to 2^53, past which a number with a fraction or an exponent is not known to be exact.
  package var int64: Int64? {
    switch node.kind {
    case .integer: return rawBytes.withUnsafeBytes { JSONNumber.int64($0) }
    case .decimal:
      guard let double, double.magnitude <= 0x1p53 else { return nil }
      return Int64(exactly: double)
    default: return nil
    }
  }

  /// Whether a number is written without fraction and exponent.
  package var isInteger: Bool { node.kind == .integer }

  /// The nearest `Double` to a number; nil if that would be infinite.
  package var double: Double? {
    guard kind == .number else { return nil }
    return rawBytes.withUnsafeBytes { JSONNumber.double($0) }
  }

  package var string: String? { stringBytes.map { String(decoding: $0, as: UTF8.self) } }

  /// A string's text as UTF-8. Nothing is copied unless the string has escapes.
  package var stringBytes: ArraySlice<UInt8>? {
    let node = node
    guard node.kind == .plainString || node.kind == .escapedString else { return nil }
    let content = document.bytes(from: Int(node.start) &+ 1, to: Int(node.end) &- 1)
    if node.kind == .plainString { return content }
    return content.withUnsafeBytes { JSONEscape.decode($0) }[...]
  }

  /// Whether this is the string `text`. Nothing is copied unless it has escapes.
  package func equals(_ text: StaticString) -> Bool {
    document.string(at: index, equals: text)
  }

  /// Whether this is the string `text`. Nothing is copied unless it has escapes.
  package func equals(_ text: String) -> Bool {
    document.string(at: index, equals: text)
  }
}
