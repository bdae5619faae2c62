import GraphQL
import Testing

@testable import Hearth

@Suite("GET /graphql")
struct GetTests {
  @Test func `a query may come in the url`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let authorization = [("Authorization", "Bearer \(ada.parent.token ?? "")")]
      for (target, data) in [
        ("/graphql?query=%7B__typename%7D", ["__typename": "Query"]),
        ("/graphql?query={__typename}", ["__typename": "Query"]),
        ("/graphql?query=query+A%7B__typename%7D+query+B%7Bfamily%7Bid%7D%7D&operationName=A", ["__typename": "Query"]),
        ("/graphql?query=%7B__typename%7D&operationName=&variables=", ["__typename": "Query"]),
        (
          "/graphql?variables=%7B%22id%22%3A%22\(ada.familyID)%22%7D&query=query(%24id:ID!)%7Bnode(id:%24id)%7Bid%7D%7D",
          ["node": ["id": .string(ada.familyID)]]
        ),
      ] as [(String, Value)] {
        let answer = try await server.http.get(target, headers: authorization)
        #expect(answer.status == 200, "\(target): \(answer.text)")
        #expect(answer.json == ["data": data], "\(target): \(answer.text)")
        #expect(answer.headers["content-type"] == PostTests.response)
      }
    }
  }

  private static let invalidTargets: [(target: String, naming: String)] = [
    ("/graphql", "query"), ("/graphql?", "query"), ("/graphql?q=x", "query"),
    ("/graphql?query=%7B__typename%7D&query=%7B__typename%7D", "query"),
    ("/graphql?query=%7B__typename%7D&variables=x", "variables"),
    ("/graphql?query=%7B__typename%7D&variables=%5B%5D", "variables"),
    ("/graphql?query=query(%24a:ID!)%7Bnode(id:%24a)%7Bid%7D%7D&variables=%7B%22a%22:1,%22a%22:2%7D", "a"),
    ("/graphql?query=%7B__typename%7", ""), ("/graphql?query=%FF", ""),
  ]

  @Test func `an invalid request is a 400, or a 422 in the new media type if its text can be read`() async throws {
    try await TestServer.run { server in
      await checkEach(Self.invalidTargets) { target, naming in
        for accept in ["application/json", "application/graphql-response+json"] {
          let answer = try await server.http.get(target, accept: accept)
          let isUnreadable = ["variables=x", "%7", "%FF"].contains { target.hasSuffix($0) }
          let status = accept == "application/json" || isUnreadable ? 400 : 422
          #expect(answer.status == status, "\(target): \(answer.text)")
          #expect(answer.codes.count == 1, "\(target): \(answer.text)")
          let isNamed = naming.isEmpty || answer.json["errors.0.message"].string?.contains(naming) == true
          #expect(isNamed, "\(target): \(answer.text)")
        }
      }
    }
  }

  @Test func `a mutation is rejected, and nothing is executed`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let before = try await ada.everything()
      let target =
        "/graphql?query=mutation%7BaddChild(input:%7Bname:%22Mia%22,birth:%7Bage:8%7D%7D)%7Bchild%7Bid%7D%7D%7D"
      for method in ["GET", "HEAD"] {
        let headers = [("Authorization", "Bearer \(ada.parent.token ?? "")")]
        let answer = try await server.http.send(method, target, headers: headers)
        #expect(answer.status == 405)
        #expect(answer.headers["allow"] == "POST")
        if method == "GET" { #expect(answer.codes == ["METHOD_NOT_ALLOWED"]) }
      }
      #expect(try await ada.everything() == before)
    }
  }

  @Test func `a document in a URL is not confused with the same characters in JSON`() async throws {
    try await TestServer.run(loops: 1) { server in
      // In JSON a backslash and an n end the comment's line; in a url they are part of the comment.
      let body = ##"{"query":"#\n{__typename}"}"##
      #expect(try await server.http.post(body).status == 200)
      let answer = try await server.http.get(#"/graphql?query=%23\n{__typename}"#)
      #expect(answer.status == 400)
      #expect(answer.codes == ["GRAPHQL_PARSE_FAILED"])
    }
  }

  @Test func `HEAD responds as GET does, without the body`() async throws {
    try await TestServer.run { server in
      for (target, accept) in [
        ("/graphql?query=%7B__typename%7D", "application/json"), ("/graphql", "text/html"), ("/health", "*/*"),
        ("/graphql/schema.graphql", "*/*"), ("/nowhere", "*/*"), ("/media/placeholder/ocean/chore.svg", "*/*"),
      ] {
        let headers = [("Accept", accept)]
        let got = try await server.http.get(target, headers: headers)
        let headed = try await server.http.send("HEAD", target, headers: headers)
        #expect(headed.status == got.status)
        #expect(headed.headers["content-length"] == String(got.body.count))
        #expect(headed.headers["content-type"] == got.headers["content-type"])
        #expect(headed.body.isEmpty)
      }
    }
  }

  @Test func `a response has an entity tag, with which the client revalidates it`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      // Long enough for gzip.
      let names = (0..<12).map { "a\($0):name" }.joined(separator: ",")
      let target = "/graphql?query=%7Bfamily%7Bitems%7Bnodes%7B\(names)%7D%7D%7D%7D"
      let mine = [("Authorization", "Bearer \(ada.parent.token ?? "")")]
      let first = try await server.http.get(target, headers: mine)
      #expect(first.status == 200)
      #expect(first.headers["cache-control"] == "private, no-cache")
      #expect(first.headers["vary"] == "Accept, Accept-Encoding, Authorization")
      let tag = try #require(first.headers["etag"])
      for named in [tag, "W/\(tag)", "\"other\", \(tag)", "*"] {
        let same = try await server.http.get(target, headers: mine + [("If-None-Match", named)])
        #expect(same.status == 304 && same.body.isEmpty && same.headers["etag"] == tag)
      }
      for (named, status) in [(tag, 200), ("*", 200), ("W/\(tag)", 412), ("\"other\"", 412)] {
        let matched = try await server.http.get(target, headers: mine + [("If-Match", named)])
        #expect(matched.status == status, "\(named)")
        #expect((matched.headers["content-type"] == "text/plain; charset=utf-8") == (status == 412), "\(named)")
      }
      // Another caller who sends it gets their own response.
      #expect(try await server.http.get(target, headers: [("If-None-Match", tag)]).status == 294)
      let name = String(repeating: "Tent ", count: 19) + "Tent"
      _ = try await ada.parent.perform(Documents.addItem, ["input": ["name": .string(name)]])
      let changed = try await server.http.get(target, headers: mine + [("If-None-Match", tag)])
      #expect(changed.status == 200 && changed.headers["etag"] != tag && changed.text.contains("Tent"))
      // The compressed response is another representation.
      let packed = try await server.http.get(target, headers: mine + [("Accept-Encoding", "gzip")])
      #expect(packed.headers["content-encoding"] == "gzip")
      let packedTag = try #require(packed.headers["etag"])
      #expect(packedTag != changed.headers["etag"])
      let again = mine + [("Accept-Encoding", "gzip"), ("If-None-Match", packedTag)]
      #expect(try await server.http.get(target, headers: again).status == 304)
      // So is each media type.
      let changedTag = try #require(changed.headers["etag"])
      for (accept, status) in [("application/graphql-response+json", 304), ("application/json", 200)] {
        let headers = mine + [("If-None-Match", changedTag)]
        let typed = try await server.http.get(target, accept: accept, headers: headers)
        #expect(typed.status == status && (typed.headers["etag"] == changedTag) == (status == 304), "\(accept)")
      }
      // Responses to POST, and errors, are not cached.
      let posted = try await server.http.post(#"{"query":"{__typename}"}"#)
      #expect(posted.headers["etag"] == nil && posted.headers["cache-control"] == "private, no-store")
      let wrong = try await server.http.get("/graphql?query=%7Bnothing%7D")
      #expect(wrong.headers["etag"] == nil && wrong.headers["cache-control"] == "private, no-store")
    }
  }

  @Test func `an error has no entity tag, and is not a 304`() async throws {
    try await TestServer.run(configure: { $0.limits.cost = 100 }) { server in
      // The cost depends on the variable, so the request is rejected when it is executed.
      let document = "query(%24n:Int!)%7Bfamily%7Bchores(first:%24n)%7Bnodes%7Bid%7D%7D%7D%7D"
      let target = "/graphql?query=\(document)&variables=%7B%22n%22:100%7D"
      for headers in [[], [("If-None-Match", "*")]] as [[(String, String)]] {
        let answer = try await server.http.get(target, headers: headers)
        #expect(answer.status == 422 && answer.codes == ["COST_EXCEEDED"], "\(answer.status) \(answer.text)")
        #expect(answer.headers["etag"] == nil && answer.headers["cache-control"] == "private, no-store")
      }
    }
  }
}
