/// Server-sent events (WHATWG HTML, section 9.2), with the names that graphql-sse gives them.
enum EventStreamFormat {
  static let complete = Array("event: complete\ndata:\n\n".utf8)

  /// `json` has no line ends: JSON escapes them in strings, and nobody writes them elsewhere.
  static func next(_ json: [UInt8], position: String?) -> [UInt8] {
    var event: [UInt8] = []
    event.reserveCapacity(json.count + 48)
    if let position { event += Array("id: \(position)\n".utf8) }
    event += "event: next\ndata: ".utf8
    event += json
    event += "\n\n".utf8
    return event
  }

  /// The current position, without an event: the client resumes after it when it is cut off before its first event.
  static func position(_ position: String) -> [UInt8] { Array("id: \(position)\n\n".utf8) }

  /// When to come again, should the connection be lost.
  static func retry(after milliseconds: Int64) -> [UInt8] { Array("retry: \(milliseconds)\n\n".utf8) }
}
