/// Header lines that are formatted once and written with every response that uses them. Names and values are validated,
/// so that a block cannot contain an injected line end.
package struct HeaderBlock: Sendable, Equatable {
  /// Complete lines, each with its CR LF.
  private(set) var bytes: [UInt8] = []

  package init() {}

  /// Headers in the order in which they are sent.
  package init(_ headers: KeyValuePairs<String, String>) throws(HeaderBlockError) {
    for (name, value) in headers { try append(name, value: value) }
  }

  package mutating func append(_ name: String, value: String) throws(HeaderBlockError) {
    guard !name.isEmpty, name.utf8.allSatisfy(CharacterSet.token.contains) else { throw .invalidName(name) }
    guard !Self.writtenByEncoder.contains(name.lowercased()) else { throw .reservedName(name) }
    let isClean = value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
    guard isClean else { throw .invalidValue(name: name) }
    bytes.append(contentsOf: name.utf8)
    bytes.append(0x3A)
    bytes.append(0x20)
    bytes.append(contentsOf: value.utf8)
    bytes.append(0x0D)
    bytes.append(0x0A)
  }

  /// A copy with one more line.
  package func adding(_ name: String, value: String) throws(HeaderBlockError) -> HeaderBlock {
    var block = self
    try block.append(name, value: value)
    return block
  }

  /// A copy with the lines of another block.
  package func adding(_ other: HeaderBlock) -> HeaderBlock {
    var block = self
    block.bytes += other.bytes
    return block
  }

  /// The encoder writes these itself.
  private static let writtenByEncoder: Set<String> = [
    "content-length", "transfer-encoding", "connection", "date", "x-content-type-options",
  ]
}

package enum HeaderBlockError: Error, Equatable, CustomStringConvertible {
  case invalidName(String)
  /// Content-Length, Transfer-Encoding, Connection, Date and X-Content-Type-Options are written by the encoder.
  case reservedName(String)
  case invalidValue(name: String)

  package var description: String {
    switch self {
    case .invalidName(let name): "\"\(name)\" is not a valid header name."
    case .reservedName(let name): "The header \(name) is written by the server itself."
    case .invalidValue(let name): "The value of the header \(name) contains a control character."
    }
  }
}
