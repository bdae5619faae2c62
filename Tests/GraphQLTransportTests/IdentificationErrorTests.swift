import GraphQL
import TestSupport
import Testing

@testable import GraphQLTransport

/// An error of identifying a caller has the same meaning wherever the caller is identified.
@Suite("Errors of identifying a caller")
struct IdentificationErrorTests {
  @Test func `an internal error is counted for a WebSocket too`() async throws {
    try await NewsServer.run { server in
      server.desk.whenIdentifying { throw NewsDesk.Defect() }
      let socket = try await server.connect(initialize: false)
      try await socket.send(#"{"type":"connection_init","payload":{"Authorization":"Bearer slow-ada"}}"#)
      #expect("\(try await socket.receive())".contains("4500"))
      #expect(await server.metrics().contains("\ngraphql_failures_total 1\n"))
    }
  }

  /// The head of the response to a long body, which is not sent.
  private func postLongBody(to server: NewsServer) async throws -> [String] {
    let stream = try await EventStreamTests.Stream(
      server.port,
      "POST /graphql HTTP/1.1\r\nHost: test\r\nAuthorization: Bearer slow-ada\r\nContent-Type: application/json\r\n"
        + "Content-Length: 1000000\r\n\r\n"
    )
    return try await stream.head()
  }

  @Test func `a caller whom the service rejects cannot send a long body`() async throws {
    try await NewsServer.run { server in
      server.desk.whenIdentifying { throw CallerRejection(GraphQLError("Sign in.", code: .unauthenticated)) }
      let head = try await postLongBody(to: server)
      #expect(head.first == "HTTP/1.1 401 Unauthorized" && head.contains("WWW-Authenticate: Bearer"))
      #expect(await server.metrics().contains("\ngraphql_failures_total 0\n"))
    }
  }

  @Test func `a long body is not admitted when the caller cannot be identified`() async throws {
    try await NewsServer.run { server in
      server.desk.whenIdentifying {
        throw ServiceUnavailable(GraphQLError("The database does not answer.", code: .storageUnavailable))
      }
      let unavailable = try await postLongBody(to: server)
      #expect(unavailable.first == "HTTP/1.1 503 Service Unavailable")
      server.desk.whenIdentifying { throw NewsDesk.Defect() }
      let failed = try await postLongBody(to: server)
      #expect(failed.first == "HTTP/1.1 500 Internal Server Error")
      #expect(await server.metrics().contains("\ngraphql_failures_total 1\n"))
    }
  }
}
