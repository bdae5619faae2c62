import Testing

/// The server remembers the formats of recent Accept headers.
@Suite("Accepted formats")
struct AcceptTests {
  private static let types: [(accept: String, type: String?)] = [
    ("*/*", "application/graphql-response+json"), ("application/json", "application/json"),
    ("application/graphql-response+json", "application/graphql-response+json"),
    ("application/json, application/graphql-response+json;q=0.9", "application/json"),
    ("application/graphql-response+json, application/json;q=0.9", "application/graphql-response+json"),
    ("text/event-stream;q=0.1, application/json", "application/json"),
    ("multipart/mixed, application/json", "application/json"), ("text/html", nil), ("application/*", nil), ("", nil),
    ("application/json;q=0.3, */*;q=0.2", "application/json"), ("image/png, application/json", "application/json"),
  ]

  @Test func `are the same for the first request and for later ones`() async throws {
    try await TestServer.run(loops: 1) { server in
      var first: [String: String] = [:]
      for round in 0..<3 {
        for (accept, type) in round == 1 ? Self.types.shuffled() : Self.types {
          let answer = try await server.http.post(Self.body, accept: accept)
          let found = "\(answer.status) \(answer.headers["content-type"] ?? "")"
          #expect(first[accept, default: found] == found, "\(accept)")
          first[accept] = found
          if let type { #expect(found.hasPrefix("200 \(type)"), "\(accept): \(found)") }
        }
      }
    }
  }

  @Test func `depend on all Accept headers of a request`() async throws {
    try await TestServer.run(loops: 1) { server in
      let one = [("Accept", "application/json;q=0.1")]
      for _ in 0..<2 {
        let json = try await server.http.post(Self.body, headers: one)
        #expect(json.headers["content-type"] == "application/json; charset=utf-8")
        let headers = one + [("Accept", "application/graphql-response+json")]
        let both = try await server.http.post(Self.body, headers: headers)
        #expect(both.headers["content-type"] == "application/graphql-response+json; charset=utf-8")
      }
    }
  }

  /// RFC 9110, section 5.3: several header lines of one name are one list.
  private static let lines: [(lines: [String], type: String)] = [
    (["*/*;q=0.1", "application/json"], "application/json"),
    (["*/*", "application/json;q=0.5"], "application/graphql-response+json"),
    (["application/json", "application/graphql-response+json"], "application/graphql-response+json"),
    (["application/json;q=0.5", "text/event-stream"], "text/event-stream"),
    (["application/graphql-response+json", "text/event-stream"], "application/graphql-response+json"),
    (["", "application/json"], "application/json"), (["application/json", "multipart/mixed"], "application/json"),
    (["image/png", "text/event-stream"], "text/event-stream"), (["text/html", "image/png"], "406"),
  ]

  @Test func `are the same in several Accept headers as in one`() async throws {
    try await TestServer.run(loops: 1) { server in
      await checkEach(Self.lines) { lines, type in
        for lines in [lines, [lines.joined(separator: ", ")]] {
          let answer = try await server.http.post(Self.body, headers: lines.map { ("Accept", $0) })
          let found = answer.status == 200 ? answer.headers["content-type"] ?? "" : "\(answer.status)"
          #expect(found.hasPrefix(type), "\(lines): \(found)")
          let hasData = answer.text.contains(#""__typename":"Query""#)
          #expect(hasData == (answer.status == 200), "\(lines): \(answer.text)")
        }
      }
    }
  }

  /// With equal priorities, only subscriptions are event streams.
  private static let priorities: [(accept: String, type: String)] = [
    ("text/event-stream;q=0.5, multipart/mixed", "multipart/mixed"),
    ("text/event-stream;q=0.1, multipart/mixed, application/json;q=0.05", "multipart/mixed"),
    ("text/event-stream;q=0.5, multipart/mixed;deferSpec=20220824", "multipart/mixed"),
    ("text/event-stream, multipart/mixed", "multipart/mixed"),
    ("text/event-stream, multipart/mixed;q=0.5", "text/event-stream"),
    ("text/event-stream;q=0.5, multipart/mixed;q=0.1, application/json;q=0.3", "text/event-stream"),
    ("text/event-stream;q=0.5, multipart/*", "text/event-stream"),
  ]

  @Test func `are parts or an event stream, whichever has the higher priority`() async throws {
    try await TestServer.run(loops: 1) { server in
      await checkEach(Self.priorities) { accept, type in
        // The second time, the format is remembered.
        for _ in 0..<2 {
          let answer = try await server.http.post(#"{"query":"{ ... @defer { __typename } }"}"#, accept: accept)
          let found = answer.headers["content-type"] ?? ""
          #expect(answer.status == 200 && found.hasPrefix(type), "\(accept): \(found)")
          #expect(answer.text.contains(#""__typename":"Query""#), "\(accept): \(answer.text)")
        }
      }
    }
  }

  @Test(arguments: [["application/json", "multipart/mixed"], ["multipart/mixed", "application/json"]])
  func `can be parts in any of several Accept headers`(lines: [String]) async throws {
    try await TestServer.run(loops: 1) { server in
      let body = #"{"query":"{ ... @defer { __typename } }"}"#
      let answer = try await server.http.post(body, headers: lines.map { ("Accept", $0) })
      #expect(answer.headers["content-type"] == "multipart/mixed; boundary=\"-\"", "\(lines): \(answer.text)")
      // The last part has been read.
      #expect(answer.text.contains(#""__typename":"Query""#) && answer.text.contains("-----"), "\(answer.text)")
    }
  }

  private static let body = #"{"query":"{ __typename }"}"#
}
