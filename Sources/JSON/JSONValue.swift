import Bytes

/// A value of a document. Accessors of another kind of value return nil.
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

  /// The text of the value, including quotation marks and brackets.
  package var rawBytes: ArraySlice<UInt8> { document.bytes(from: Int(node.start), to: Int(node.end)) }

  /// Calls `body` with `rawBytes`. The pointer is only valid within `body`.
  package func withRawBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    let node = node
    return document.text.withUnsafeBytes {
      body(UnsafeRawBufferPointer(rebasing: $0[Int(node.start)..<Int(node.end)]))
    }
  }

  /// The offset of the value's first byte in the text. It is different for every value.
  package var offset: Int { Int(node.start) }

  /// The length in bytes of the entire text.
  package var textBytes: Int { document.text.count }

  /// The number of values and keys in this value, including itself. Takes constant time.
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

  /// The integer; nil if the number is not an integer or does not fit. `1.0` and `1e3` are integers too, below 2^53. A
  /// number with a fraction or an exponent is rounded to a `Double` first: `1.00000000000000000001` is 1.
  package var int64: Int64? {
    switch node.kind {
    case .integer: return withRawBytes { JSONNumber.int64($0) }
    case .decimal:
      guard let double, double.magnitude < 0x1p53 else { return nil }
      return Int64(exactly: double)
    default: return nil
    }
  }

  /// Whether the number is written without a fraction or exponent.
  package var isInteger: Bool { node.kind == .integer }

  /// The nearest `Double`; nil if it would be infinite.
  package var double: Double? {
    guard kind == .number else { return nil }
    return withRawBytes { JSONNumber.double($0) }
  }

  package var string: String? { document.text(at: index) }

  /// The text of a string as UTF-8. Nothing is copied unless the string contains escapes.
  package var stringBytes: ArraySlice<UInt8>? {
    guard let content = document.escapedBytes(at: index) else { return nil }
    return node.kind == .plainString ? content : JSONEscape.decode(content)[...]
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
