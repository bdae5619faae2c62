import TestSupport
import Testing

@testable import Hearth

/// Parts of a response, with every database.
@Suite("Responses in parts")
struct IncrementalDeliveryTests {
  @Test func `each part is read when it is due, with the rights of the caller`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let names = ["Ann", "Bob", "Cid"]
      for name in names { _ = try await ada.addChild(name) }
      let parts = try await post(
        server,
        """
        { family { ... @defer { children @stream(initialCount: 1) { \
        name ... @defer { points assignedChores(first: 1) { totalCount } } } } } viewer { __typename } }
        """,
        token: ada.parent.token
      )
      #expect(parts.first?.hasPrefix(#"{"data":{"family":{},"viewer":{"__typename":"Account"}},"pending":"#) == true)
      let fields = #"{"data":{"points":0,"assignedChores":{"totalCount":0}}"#
      #expect(parts.dropFirst().joined().ranges(of: fields).count == names.count)
      for name in names { #expect(parts.dropFirst().joined().contains(#""name":"\#(name)""#)) }
      #expect(parts.dropLast().allSatisfy { $0.hasSuffix(#""hasNext":true}"#) })
      #expect(parts.last?.hasSuffix(#""hasNext":false}"#) == true)

      let stranger = try await post(server, "{ __typename ... @defer { family { id } } }", token: nil)
      #expect(stranger.count == 2 && stranger[1].contains("UNAUTHENTICATED"))
    }
  }

  /// The parts of the response.
  private func post(_ server: TestServer, _ document: String, token: String?) async throws -> [String] {
    let body = #"{"query":"\#(document)"}"#
    let request =
      "POST /graphql HTTP/1.1\r\nHost: test\r\nAccept: multipart/mixed\r\nContent-Type: application/json\r\n"
      + (token.map { "Authorization: Bearer \($0)\r\n" } ?? "")
      + "Connection: close\r\nContent-Length: \(body.utf8.count)\r\n\r\n" + body
    let response = try await TestThread { [port = server.port] in
      let socket = try TestSocket(port: port)
      try socket.send(request)
      return String(decoding: try socket.receiveAll(), as: UTF8.self)
    }.value
    #expect(response.contains(#"Content-Type: multipart/mixed; boundary="-""#))
    return response.split(separator: "\r\n").filter { $0.hasPrefix("{") }.map(String.init)
  }
}
