import Bytes
import Glibc

/// A parsed, well-formed JSON text (RFC 8259): UTF-8, a single value, no lone surrogates. The text is not copied, and
/// values are decoded on demand.
///
/// Keys can be repeated in the text; see `JSONValue.repeatedKey`.
///
/// `@unchecked Sendable`: it changes only while `JSONMemory` has the only reference to it.
package final class JSONDocument: @unchecked Sendable {
  private(set) var text = JSONText([])
  private(set) var nodes = PlainBuffer<JSONNode>()

  package init(_ text: consuming ArraySlice<UInt8>, limits: JSONLimits = JSONLimits()) throws(JSONError) {
    try read(text, within: limits)
  }

  package convenience init(_ text: [UInt8], limits: JSONLimits = JSONLimits()) throws(JSONError) {
    try self.init(text[...], limits: limits)
  }

  /// Replaces the text of a document that was emptied by `removeAll`.
  func read(_ text: consuming ArraySlice<UInt8>, within limits: JSONLimits) throws(JSONError) {
    self.text = JSONText(text)
    try self.text.withUnsafeBytes { (bytes) throws(JSONError) in
      try JSONReader.read(bytes, into: &nodes, within: limits)
    }
  }

  /// Releases the text and keeps the memory of the nodes.
  func removeAll() {
    text = JSONText([])
    nodes.removeAll()
  }

  package var root: JSONValue { JSONValue(document: self, index: 0) }

  /// Whether the node is the string `expected`. Nothing is copied unless it has escapes.
  @inline(__always)
  func string(at index: Int, equals expected: StaticString) -> Bool {
    let node = nodes[index]
    let (first, last) = (Int(node.start) &+ 1, Int(node.end) &- 1)
    switch node.kind {
    case .plainString:
      guard last &- first == expected.utf8CodeUnitCount else { return false }
      return text.withUnsafeBytes { bytes in
        // Not `elementsEqual`, which costs a call per byte unless it is inlined.
        guard let base = bytes.baseAddress else { return false }
        return memcmp(base + first, expected.utf8Start, last &- first) == 0
      }
    case .escapedString:
      return text.withUnsafeBytes { text in
        JSONEscape.decode(UnsafeRawBufferPointer(rebasing: text[first..<last])).elementsEqual(expected.utf8)
      }
    default: return false
    }
  }

  /// Whether the node is the string `expected`. Nothing is copied unless it has escapes.
  func string(at index: Int, equals expected: String) -> Bool {
    let node = nodes[index]
    let (first, last) = (Int(node.start) &+ 1, Int(node.end) &- 1)
    switch node.kind {
    case .plainString:
      guard last &- first == expected.utf8.count else { return false }
      return text.withUnsafeBytes { bytes in
        let isEqual = expected.utf8.withContiguousStorageIfAvailable { expected in
          guard let base = bytes.baseAddress, let start = expected.baseAddress else { return expected.isEmpty }
          return memcmp(base + first, start, expected.count) == 0
        }
        return isEqual ?? bytes[first..<last].elementsEqual(expected.utf8)
      }
    case .escapedString:
      return text.withUnsafeBytes { text in
        JSONEscape.decode(UnsafeRawBufferPointer(rebasing: text[first..<last])).elementsEqual(expected.utf8)
      }
    default: return false
    }
  }

  /// The text of the node; nil if it is not a string.
  func text(at index: Int) -> String? {
    let node = nodes[index]
    guard node.kind == .plainString || node.kind == .escapedString else { return nil }
    return text.withUnsafeBytes { text in
      let content = UnsafeRawBufferPointer(rebasing: text[Int(node.start) &+ 1..<Int(node.end) &- 1])
      if node.kind == .plainString { return String(decoding: content, as: UTF8.self) }
      return String(decoding: JSONEscape.decode(content), as: UTF8.self)
    }
  }

  /// The text of the node as sent, with its escapes; nil if it is not a string.
  func escapedBytes(at index: Int) -> ArraySlice<UInt8>? {
    let node = nodes[index]
    guard node.kind == .plainString || node.kind == .escapedString else { return nil }
    return bytes(from: Int(node.start) &+ 1, to: Int(node.end) &- 1)
  }

  /// Whether two nodes that are strings have the same text. Nothing is copied unless one has escapes.
  func stringsAreEqual(at one: Int, _ other: Int) -> Bool {
    let (first, second) = (nodes[one], nodes[other])
    guard first.kind == .plainString, second.kind == .plainString else {
      return JSONValue(document: self, index: one).stringBytes == JSONValue(document: self, index: other).stringBytes
    }
    guard first.end &- first.start == second.end &- second.start else { return false }
    return text.withUnsafeBytes { text in
      text[Int(first.start)..<Int(first.end)].elementsEqual(text[Int(second.start)..<Int(second.end)])
    }
  }

  func bytes(from start: Int, to end: Int) -> ArraySlice<UInt8> { text.slice(from: start, to: end) }
}

/// The text of a document. It cannot be copied, so it is read in place and never retained.
struct JSONText: ~Copyable, Sendable {
  private let bytes: ArraySlice<UInt8>

  init(_ bytes: consuming ArraySlice<UInt8>) { self.bytes = bytes }

  var count: Int { bytes.count }

  @inline(__always)
  func withUnsafeBytes<Result, Failure>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try bytes.withUnsafeBufferPointer { (bytes) throws(Failure) in try body(UnsafeRawBufferPointer(bytes)) }
  }

  func slice(from start: Int, to end: Int) -> ArraySlice<UInt8> {
    let first = bytes.startIndex
    return bytes[first &+ start..<first &+ end]
  }
}

extension StaticString {
  /// All literals except single scalars are stored as UTF-8, and none here is a scalar.
  fileprivate var utf8: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: utf8Start, count: utf8CodeUnitCount) }
}
