import GraphQL
import TestSupport
import Testing

@testable import GraphQLTransport

/// `@defer` over HTTP as `multipart/mixed`, as server-sent events and over WebSockets.
@Suite("Incremental delivery over each transport")
struct IncrementalDeliveryTests {
  private static let document = #"{ hello ... @defer(label: \"A\") { me waiting } }"#
  private static let initial =
    #"{"data":{"hello":"Hello, you!"},"pending":[{"id":"0","path":[],"label":"A"}],"hasNext":true}"#
  private static let rest =
    #"{"incremental":[{"data":{"me":"ada","waiting":"waited"},"id":"0"}],"completed":[{"id":"0"}],"hasNext":false}"#
  private static let previousInitial = #"{"data":{"hello":"Hello, you!"},"hasNext":true}"#
  private static let previousRest =
    #"{"incremental":[{"data":{"me":"ada","waiting":"waited"},"path":[],"label":"A"}],"hasNext":false}"#

  /// The head and the body of a response, without the chunks of the transfer coding.
  private func post(_ server: NewsServer, _ document: String, accept: String, token: String = "ada") async throws
    -> (head: [String], body: String)
  {
    let headers = "Authorization: Bearer \(token)\r\nConnection: close\r\n"
    let stream = try await EventStreamTests.Stream.post(server.port, document, headers, accept: accept)
    let head = try await stream.head()
    guard head.contains("Transfer-Encoding: chunked") else {
      return (head, String(decoding: try await stream.end(), as: UTF8.self))
    }
    var body = ""
    while true {
      let chunk = try await stream.chunk()
      if chunk.isEmpty { return (head, body) }
      body += chunk
    }
  }

  private static func multipart(_ parts: String...) -> String {
    parts.map { "\r\n---\r\nContent-Type: application/json; charset=utf-8\r\n\r\n\($0)" }.joined() + "\r\n-----\r\n"
  }

  @Test(arguments: [
    "multipart/mixed", "multipart/mixed, application/json;q=0.9",
    "multipart/mixed;incrementalSpec=v0.2,application/graphql-response+json,application/json;q=0.9",
    "application/json;q=0.5, multipart/mixed;q=0.5",
    "multipart/mixed; incrementalDeliverySpec=3283f8a, application/json",
    "application/graphql-response+json, application/graphql+json, application/json, text/event-stream, multipart/mixed",
  ])
  func `a client that accepts multipart/mixed gets parts`(accept: String) async throws {
    try await NewsServer.run { server in
      let (head, body) = try await post(server, Self.document, accept: accept)
      #expect(head.first == "HTTP/1.1 200 OK")
      #expect(head.contains(#"Content-Type: multipart/mixed; boundary="-""#))
      #expect(body == Self.multipart(Self.initial, Self.rest))
    }
  }

  @Test func `the delimiter after a part is sent with it, before the next part is executed`() async throws {
    try await NewsServer.run { server in
      let headers = "Authorization: Bearer ada\r\nConnection: close\r\n"
      let stream = try await EventStreamTests.Stream.post(
        server.port,
        Self.document,
        headers,
        accept: "multipart/mixed"
      )
      _ = try await stream.head()
      #expect(try await stream.chunk().hasSuffix("\(Self.initial)\r\n---"))
    }
  }

  @Test(arguments: [
    "multipart/mixed;deferSpec=20220824,application/graphql-response+json,application/json;q=0.9",
    "multipart/mixed; deferSpec=20220824, application/json",
  ])
  func `Apollo's clients get the format that they name`(accept: String) async throws {
    try await NewsServer.run { server in
      let (head, body) = try await post(server, Self.document, accept: accept)
      // Apollo iOS fails without the name of the format.
      #expect(head.contains(#"Content-Type: multipart/mixed; boundary="-"; deferSpec=20220824"#))
      #expect(body == Self.multipart(Self.previousInitial, Self.previousRest))
    }
  }

  @Test(arguments: [
    "*/*", "application/json", "application/json, multipart/mixed;q=0", "multipart/*, application/json",
    "application/json, multipart/mixed;q=0.1", "multipart/mixed;deferSpec=20220824;q=0.5, application/json;q=0.6",
  ])
  func `other clients, and those that prefer it, get one response`(accept: String) async throws {
    try await NewsServer.run { server in
      let (head, body) = try await post(server, Self.document, accept: accept)
      #expect(head.contains { $0.hasPrefix("Content-Length: ") })
      #expect(body == #"{"data":{"hello":"Hello, you!","me":"ada","waiting":"waited"}}"#)
    }
  }

  @Test func `a query that defers nothing has one response, whatever the client accepts`() async throws {
    try await NewsServer.run { server in
      for document in ["{ hello }", "{ hello ... @defer(if: false) { me } }", "{ hello ... @defer { hello } }"] {
        let (head, body) = try await post(server, document, accept: "multipart/mixed, application/json")
        #expect(head.contains("Content-Type: application/json; charset=utf-8"))
        #expect(body.hasPrefix(#"{"data":{"hello":"Hello, you!""#) && body.hasSuffix("}}"))
      }
    }
  }

  @Test func `a request error is one response`() async throws {
    try await NewsServer.run { server in
      let (head, body) = try await post(
        server,
        "{ ... @defer { unknown } }",
        accept: "multipart/mixed, application/json"
      )
      #expect(head.contains("Content-Type: application/json; charset=utf-8"))
      #expect(body.contains("GRAPHQL_VALIDATION_FAILED"))
    }
  }

  @Test func `an event stream has an event for each part`() async throws {
    try await NewsServer.run { server in
      for (accept, initial, rest) in [
        ("text/event-stream", Self.initial, Self.rest),
        ("text/event-stream, multipart/mixed;deferSpec=20220824;q=0.5", Self.previousInitial, Self.previousRest),
      ] {
        let (_, body) = try await post(server, Self.document, accept: accept)
        #expect(
          body == ":\n\nevent: next\ndata: \(initial)\n\nevent: next\ndata: \(rest)\n\nevent: complete\ndata:\n\n"
        )
      }
    }
  }

  @Test func `a WebSocket has a message for each part, and other operations go on`() async throws {
    try await NewsServer.run { server in
      let socket = try await server.connect("ada")
      try await socket.subscribe("1", Self.document)
      #expect(try await socket.receive() == next("1", Self.initial))
      #expect(try await socket.receive() == next("1", Self.rest))
      #expect(try await socket.receive() == complete("1"))
      try await socket.subscribe("1", "{ hello }")
      #expect(try await socket.receive() == next("1", #"{"data":{"hello":"Hello, you!"}}"#))
      #expect(try await socket.receive() == complete("1"))
    }
  }

  @Test func `long parts arrive completely`() async throws {
    try await NewsServer.run { server in
      let bytes = 2_000_000
      let document = """
        { a: long(bytes: \(bytes)) ... @defer { b: long(bytes: \(bytes + 1)) ... @defer { c: long(bytes: 5) } } }
        """
      let (_, body) = try await post(server, document, accept: "multipart/mixed")
      // The other three are of `hasNext`.
      #expect(body.utf8.count { $0 == UInt8(ascii: "x") } == 2 * bytes + 1 + 5 + 3)
      #expect(body.hasSuffix("\"hasNext\":false}\r\n-----\r\n"))
      #expect(server.desk.executions == 3)
    }
  }

  @Test func `nothing is delivered after the session has ended`() async throws {
    try await NewsServer.run { server in
      let (_, body) = try await post(server, "{ signOut ... @defer { me } }", accept: "multipart/mixed")
      #expect(body.contains(#"{"data":{"signOut":true},"pending":"#))
      #expect(body.contains(#""completed":[{"id":"0","errors":[{"message":"The session ended"#))
      #expect(!body.contains("ada"))
    }
  }

  @Test func `a session that cannot be read between two parts has not ended`() async throws {
    try await NewsServer.run { server in
      let identifications = Counter()
      server.desk.whenIdentifying {
        identifications.increment()
        // The first one is that of the request.
        guard identifications.count > 1 else { return }
        throw ServiceUnavailable(GraphQLError("The database does not answer.", code: .storageUnavailable))
      }
      let (_, body) = try await post(server, Self.document, accept: "multipart/mixed", token: "slow-ada")
      #expect(body.contains(Self.initial))
      #expect(body.contains(#""completed":[{"id":"0","errors":[{"message":"The database does not answer."#), "\(body)")
      #expect(body.contains("STORAGE_UNAVAILABLE") && !body.contains("UNAUTHENTICATED"))
      #expect(!body.contains(#""me":"#))
    }
  }

  @Test func `a token that expires between two parts has an error of its own`() async throws {
    try await NewsServer.run { server in
      let identifications = Counter()
      server.desk.whenIdentifying {
        identifications.increment()
        // The first one is that of the request.
        if identifications.count > 1 { server.desk.expiries.increment() }
      }
      let (_, body) = try await post(server, Self.document, accept: "multipart/mixed", token: "slow-ada")
      #expect(body.contains(Self.initial))
      #expect(body.contains("TOKEN_EXPIRED") && !body.contains("UNAUTHENTICATED"), "\(body)")
      #expect(!body.contains(#""me":"#))
    }
  }

  @Test func `nothing is delivered after the rights of the session have changed`() async throws {
    try await NewsServer.run { server in
      let document = "{ hello ... @defer { changeRights ... @defer { me } } }"
      let (_, body) = try await post(server, document, accept: "multipart/mixed")
      #expect(body.contains(#""data":{"changeRights":true}"#))
      #expect(
        body.contains(#""errors":[{"message":"Your rights changed"#) && body.contains("RIGHTS_CHANGED"),
        "\(body)"
      )
      #expect(!body.contains("ada"))
      // A query that changes them itself goes on with the new ones.
      let (_, own) = try await post(server, "{ changeRights ... @defer { me } }", accept: "multipart/mixed")
      #expect(own.contains(#""me":"ada""#))
    }
  }

  @Test func `a client that leaves ends the execution`() async throws {
    try await NewsServer.run { server in
      let handles = await server.handleCount()
      let stream = try await EventStreamTests.Stream.post(
        server.port,
        "{ a: long(bytes: 9000000) ... @defer { b: long(bytes: 9000000) } }",
        accept: "multipart/mixed",
        receiveBuffer: 4096
      )
      _ = try await stream.head()
      // The first part has been executed, and is longer than the buffers of the kernel.
      try await TestThread { [socket = stream.socket] in
        _ = try socket.receive(1000)
        socket.close()
      }.value
      try await server.waitForHandles(handles)
      #expect(server.desk.executions == 1)
    }
  }
}
