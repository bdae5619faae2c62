import GraphQLServer
import TestSupport

extension GraphQLServer {
  /// Starts the server, runs `body` with its port, and shuts the server down, also if `body` throws.
  func serving(deadline: Duration = .zero, _ body: (Int) async throws -> Void) async throws {
    let port = try await start()
    do {
      try await body(port)
    } catch {
      await shutdown(deadline: deadline)
      throw error
    }
    await shutdown(deadline: deadline)
  }
}

extension TestSocket {
  /// A connection on which an operation has been sent, and which ends after the response.
  static func sending(_ operation: String, to port: Int) async throws -> TestSocket {
    let body = #"{"query":"\#(operation)"}"#
    let lines = [
      "POST /graphql HTTP/1.1", "Host: localhost", "Connection: close", "Content-Type: application/json",
      "Content-Length: \(body.utf8.count)", "", body,
    ]
    return try await TestThread {
      let socket = try TestSocket(port: port)
      try socket.send(lines.joined(separator: "\r\n"))
      return socket
    }.value
  }

  /// The response to an operation; empty if the server closes the connection without one.
  static func response(to operation: String, from port: Int) async throws -> String {
    let socket = try await sending(operation, to: port)
    return try await TestThread { String(decoding: try socket.receiveAll(), as: UTF8.self) }.value
  }
}
