import Bytes

/// Parses a text in one pass and creates its nodes (RFC 8259). It is not recursive: open containers are linked through
/// their nodes, so that only the limit bounds their depth.
struct JSONReader: ~Copyable {
  /// The text. The caller keeps it valid for the lifetime of the reader. Every load is preceded by a comparison with
  /// `count`.
  let base: UnsafeRawPointer
  let count: Int
  let limits: JSONLimits
  var at = 0
  private(set) var nodes = PlainBuffer<JSONNode>()
  /// The innermost open container, or `none`.
  private var container = Self.none
  private var depth = 0

  private static var none: UInt32 { .max }

  private init(_ text: UnsafeRawBufferPointer, within limits: JSONLimits) throws(JSONError) {
    guard text.count <= limits.bytes else { throw JSONError(reason: .tooLong, offset: limits.bytes) }
    guard let base = text.baseAddress else { throw JSONError(reason: .unexpectedEnd, offset: 0) }
    self.base = base
    count = text.count
    self.limits = limits
  }

  /// - Parameter nodes: empty. Its memory is used.
  static func read(
    _ text: UnsafeRawBufferPointer,
    into nodes: inout PlainBuffer<JSONNode>,
    within limits: JSONLimits
  ) throws(JSONError) {
    var reader = try JSONReader(text, within: limits)
    swap(&nodes, &reader.nodes)
    try reader.read()
    swap(&nodes, &reader.nodes)
  }

  private mutating func read() throws(JSONError) {
    if count >= 3, byte(0) == 0xEF, byte(1) == 0xBB, byte(2) == 0xBF { throw failure(.byteOrderMark, at: 0) }
    while true {
      // After the opening of a non-empty container, its first value follows.
      if try readValueStart() { continue }
      if try !readAfterValue() { return }
    }
  }

  @inline(__always)
  func byte(_ offset: Int) -> UInt8 { base.load(fromByteOffset: offset, as: UInt8.self) }

  func failure(_ reason: JSONError.Reason, at offset: Int) -> JSONError { JSONError(reason: reason, offset: offset) }

  /// Skips whitespace and returns the next byte.
  @inline(__always)
  private mutating func nextByte() throws(JSONError) -> UInt8 {
    while at < count {
      let byte = byte(at)
      // Most bytes are not whitespace, which a single test shows.
      if byte > 0x20 { return byte }
      guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return byte }
      at &+= 1
    }
    throw failure(.unexpectedEnd, at: count)
  }

  /// Parses a scalar, an empty container, or the opening of a container, for which it returns true.
  @inline(__always)
  private mutating func readValueStart() throws(JSONError) -> Bool {
    switch try nextByte() {
    case UInt8(ascii: "\""): try readString()
    case UInt8(ascii: "{"):
      try open(.object)
      if try nextByte() != UInt8(ascii: "}") {
        try readKey()
        return true
      }
      close()
    case UInt8(ascii: "["):
      try open(.array)
      if try nextByte() != UInt8(ascii: "]") { return true }
      close()
    case UInt8(ascii: "t"): try readLiteral("true", kind: .true)
    case UInt8(ascii: "f"): try readLiteral("false", kind: .false)
    case UInt8(ascii: "n"): try readLiteral("null", kind: .null)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try readNumber()
    default: throw failure(.expectedValue, at: at)
    }
    return false
  }

  /// Continues after a value. Returns true if another value follows, and false at the end of the text.
  @inline(__always)
  private mutating func readAfterValue() throws(JSONError) -> Bool {
    while container != Self.none {
      let isObject = nodes[Int(container)].kind == .object
      let closing = isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")
      let byte = try nextByte()
      if byte == UInt8(ascii: ",") {
        let comma = at
        at &+= 1
        if try nextByte() == closing { throw failure(.trailingComma, at: comma) }
        if isObject { try readKey() }
        return true
      }
      guard byte == closing else {
        throw failure(isObject ? .expectedCommaOrBrace : .expectedCommaOrBracket, at: at)
      }
      close()
    }
    while at < count {
      let byte = byte(at)
      guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { throw failure(.textAfterValue, at: at) }
      at &+= 1
    }
    return false
  }

  private mutating func open(_ kind: JSONNode.Kind) throws(JSONError) {
    if depth == limits.depth { throw failure(.tooDeep, at: at) }
    depth &+= 1
    let index = UInt32(truncatingIfNeeded: nodes.count)
    nodes.append(JSONNode(start: UInt32(truncatingIfNeeded: at), end: 0, next: container, kind: kind))
    container = index
    at &+= 1
  }

  /// Consumes the closing bracket or brace, which is the next byte.
  private mutating func close() {
    at &+= 1
    depth &-= 1
    let index = Int(container)
    container = nodes[index].next
    nodes[index].end = UInt32(truncatingIfNeeded: at)
    nodes[index].next = UInt32(truncatingIfNeeded: nodes.count)
  }

  @inline(__always)
  private mutating func readKey() throws(JSONError) {
    guard try nextByte() == UInt8(ascii: "\"") else { throw failure(.expectedKey, at: at) }
    try readString()
    guard try nextByte() == UInt8(ascii: ":") else { throw failure(.expectedColon, at: at) }
    at &+= 1
  }

  private mutating func readLiteral(_ text: StaticString, kind: JSONNode.Kind) throws(JSONError) {
    for offset in 0..<text.utf8CodeUnitCount {
      guard at &+ offset < count else { throw failure(.unexpectedEnd, at: count) }
      guard byte(at &+ offset) == text.utf8Start[offset] else { throw failure(.expectedValue, at: at) }
    }
    append(kind, upTo: at &+ text.utf8CodeUnitCount)
  }

  /// Adds a node without descendants from `at` to `end`, and advances to `end`.
  @inline(__always)
  mutating func append(_ kind: JSONNode.Kind, upTo end: Int) {
    nodes.append(
      JSONNode(
        start: UInt32(truncatingIfNeeded: at),
        end: UInt32(truncatingIfNeeded: end),
        next: UInt32(truncatingIfNeeded: nodes.count &+ 1),
        kind: kind
      )
    )
    at = end
  }
}
