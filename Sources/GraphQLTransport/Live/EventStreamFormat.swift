/// Server-sent events (WHATWG HTML, section 9.2) with the event names of graphql-sse.
enum EventStreamFormat {
  static let complete = Array("event: complete\ndata:\n\n".utf8)

  /// `json` must not contain line ends. JSON escapes them in strings, and responses have none elsewhere.
  static func next(_ json: [UInt8], position: String?) -> [UInt8] {
    var event: [UInt8] = []
    event.reserveCapacity(json.count + 48)
    if let position { event += Array("id: \(position)\n".utf8) }
    event += nextHead
    event += json
    event += end
    return event
  }

  /// What precedes the JSON of an event.
  static let nextHead = Array("event: next\ndata: ".utf8)
  static let end = Array("\n\n".utf8)

  /// The beginning of a subscription, which is no event: the position at which it begins. A client that is disconnected
  /// before its first event resumes after it. The `id` is empty if the service has no positions: a browser's
  /// EventSource then sends none when it reconnects. A service can accept any text as a position: one with line ends
  /// would be further fields, and is replaced by a comment.
  static func begin(at position: String?) -> [UInt8] {
    guard let position else { return Array("id:\n\n".utf8) }
    let isLine = !position.utf8.contains { $0 == 0x0A || $0 == 0x0D }
    return Array((isLine ? "id: \(position)\n\n" : ":\n\n").utf8)
  }

  /// The delay before a client reconnects.
  static func retry(after milliseconds: Int64) -> [UInt8] { Array("retry: \(milliseconds)\n\n".utf8) }
}
