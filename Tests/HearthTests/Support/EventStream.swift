import TestSupport

/// A client of server-sent events: a request with one subscription.
struct EventStream: Sendable {
  private let socket: TestSocket

  /// Returns when the response has begun.
  static func open(
    _ port: Int,
    _ client: Client,
    _ subscription: String,
    after position: String? = nil,
    host: String = "test"
  ) async throws -> EventStream {
    let body = #"{"query":"\#(subscription.replacing("\"", with: "\\\""))"}"#
    let head =
      "POST /graphql HTTP/1.1\r\nHost: \(host)\r\nAccept: text/event-stream\r\nContent-Type: application/json\r\n"
      + (client.token.map { "Authorization: Bearer \($0)\r\n" } ?? "")
      + (position.map { "Last-Event-ID: \($0)\r\n" } ?? "") + "Content-Length: \(body.utf8.count)\r\n\r\n"
    let stream = EventStream(
      socket: try await TestThread {
        let socket = try TestSocket(port: port)
        try socket.send(head + body)
        return socket
      }.value
    )
    while try await stream.line() != "" {}
    return stream
  }

  /// The next event: its data and extensions.
  func next() async throws -> Value {
    while true {
      let line = try await line()
      if line.hasPrefix("data: ") { return try Value(Array(line.dropFirst("data: ".count).utf8)) }
    }
  }

  /// The current position, as the next `id` states it.
  func position() async throws -> String {
    while true {
      let line = try await line()
      if line.hasPrefix("id: ") { return String(line.dropFirst("id: ".count)) }
    }
  }

  /// A line of the head, or of the chunked body, in which a chunk is one event and chunk sizes are lines too.
  private func line() async throws -> String {
    try await TestThread { [socket] in
      var line: [UInt8] = []
      while line.last != 0x0A { line += try socket.receive(1) }
      return String(decoding: line.dropLast(line.suffix(2).first == 0x0D ? 2 : 1), as: UTF8.self)
    }.value
  }
}
