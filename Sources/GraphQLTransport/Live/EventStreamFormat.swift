/// Server-sent events (WHATWG HTML, section 9.2) with the event names of graphql-sse.
enum EventStreamFormat {
  static let complete = Array("event: complete\ndata:\n\n".utf8)

  /// `json` must not contain line ends. JSON escapes them in strings, and responses have none elsewhere.
  static func next(_ json: [UInt8], position: String?) -> [UInt8] {
    var event: [UInt8] = []
    event.reserveCapacity(json.count + 48)
    if let position { event += Array("id: \(position)\n".utf8) }
    event += "event: next\ndata: ".utf8
    event += json
    event += "\n\n".utf8
    return event
  }

  /// The current position, without an event. A client that is disconnected before its first event resumes after it.
  static func position(_ position: String) -> [UInt8] { Array("id: \(position)\n\n".utf8) }

  /// The delay before a client reconnects.
  static func retry(after milliseconds: Int64) -> [UInt8] { Array("retry: \(milliseconds)\n\n".utf8) }
}
