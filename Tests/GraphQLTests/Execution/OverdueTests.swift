import Testing

@testable import GraphQL

/// Executions that exceed their time on the event loop continue off the loop, with the same responses.
@Suite("Executions off the event loop")
struct OverdueTests {
  private let server: ZooServer

  init() throws { server = try ZooServer() }

  @Test func `respond the same at whatever point they become overdue`() async throws {
    var generator = RequestGenerator(server.executable.schema, seed: 7)
    var moved = 0
    for _ in 0..<300 {
      let request = generator.request()
      let expected = await server.answer(request).json
      for looks in 0..<6 {
        let answer = await server.answer(request) { $0.looksLeft = looks }
        moved += answer.context.moves
        #expect(answer.json == expected, "after \(looks) looks: \(request)")
      }
    }
    #expect(moved > 600)
  }

  @Test func `start off the loop if their context says so`() async throws {
    let answer = await server.answer(ZooRequest(document: "{ cat(n: 1) { id next { id } } }")) {
      $0.startsOffLoop = true
    }
    #expect(answer.json == #"{"data":{"cat":{"id":"cat:1","next":{"id":"cat:2"}}}}"#)
    #expect(answer.context.moves == 1)
    #expect(answer.context.loads == ["Cat": [1, 1]])
  }

  @Test func `of queries start again, so that the response is from one snapshot`() async throws {
    let answer = await server.answer(ZooRequest(document: "{ cat(n: 1) { id next { id } } }")) { $0.looksLeft = 2 }
    #expect(answer.json == #"{"data":{"cat":{"id":"cat:1","next":{"id":"cat:2"}}}}"#)
    #expect(answer.context.moves == 1)
    // The first object is loaded twice, the second once.
    #expect(answer.context.loads["Cat"] == [1, 1, 1])
  }

  @Test func `of mutations continue, and change nothing twice`() async throws {
    let document = "mutation { a: add(number: 1) { value cat { id next { id } } } b: add(number: 2) { history } }"
    let expected = await server.answer(document)
    #expect(expected == #"{"data":{"a":{"value":1,"cat":{"id":"cat:1","next":{"id":"cat:2"}}},"b":{"history":[1,2]}}}"#)
    for looks in 0..<6 {
      let answer = await server.answer(ZooRequest(document: document)) { $0.looksLeft = looks }
      #expect(answer.json == expected, "after \(looks) looks")
      #expect(answer.context.history == [1, 2])
      // What has been loaded on the loop is not loaded again.
      #expect(answer.context.loads["Cat"] == [1, 1])
    }
  }

  @Test func `fail if the worker queue is full; the changes of a mutation persist`() async throws {
    let query = await server.answer(ZooRequest(document: "{ cat(n: 1) { id } }")) { context in
      context.looksLeft = 0
      context.hasRoomOffLoop = false
    }
    #expect(query.json == #"{"errors":[{"message":"Too busy.","extensions":{"code":"OVERLOADED","retryAfter":5}}]}"#)
    let mutation = await server.answer(ZooRequest(document: "mutation { add(number: 1) { cat { id } } }")) { context in
      context.looksLeft = 0
      context.hasRoomOffLoop = false
    }
    #expect(try codes(mutation.json) == ["OVERLOADED"])
    #expect(mutation.context.history == [1])
  }

  @Test func `of mutations fail for the root field alone whose work the queue had no room for`() async throws {
    let document = "mutation { a: add(number: 1) { cat { id } } b: add(number: 2) { cat { id } } }"
    let answer = await server.answer(ZooRequest(document: document)) { context in
      context.looksLeft = 0
      context.hasRoomOffLoop = false
    }
    #expect(answer.json.hasPrefix(#"{"data":{"a":{"cat":null},"b":{"cat":{"id":"cat:2"}}},"errors":["#))
    #expect(try codes(answer.json) == ["OVERLOADED"])
    #expect(answer.context.history == [1, 2])
  }

  @Test func `include those with long responses`() async throws {
    let text = String(repeating: "x", count: 4_000)
    let fields = (0..<150).map { "a\($0): echo(string: $text)" }.joined(separator: " ")
    let answer = await server.answer(
      ZooRequest(
        document: "query ($text: String) { cat(n: 1) { id } \(fields) }",
        variables: #"{"text":"\#(text)"}"#
      )
    )
    #expect(answer.json.utf8.count > 600_000 && answer.json.hasSuffix("\"}}"))
    #expect(answer.context.moves == 1)
  }

  @Test(arguments: [true, false])
  func `of mutations with long responses have them if the queue is full, too`(hasRoom: Bool) async throws {
    let document = "mutation { a: add(number: 1) { history } b: add(number: 2) { history } }"
    let answer = await server.answer(ZooRequest(document: document)) { context in
      context.history = Array(repeating: 123_456, count: 100_000)
      context.hasRoomOffLoop = hasRoom
    }
    #expect(answer.json.utf8.count > 1_400_000 && answer.json.hasSuffix(",1,2]}}}"))
    #expect(answer.context.moves == (hasRoom ? 2 : 0))
  }

  @Test func `a mutation whose client has disconnected starts no further field`() async throws {
    let document = "mutation { a: add(number: 1) { value } b: add(number: 2) { value } }"
    let (json, history) = try await Task {
      let server = try ZooServer()
      withUnsafeCurrentTask { $0?.cancel() }
      let answer = await server.answer(ZooRequest(document: document))
      return (answer.json, answer.context.history)
    }.value
    #expect(
      json == """
        {"data":null,"errors":[{"message":"The client ended its connection before \\"b\\" was started.",\
        "locations":[{"line":1,"column":40}],"path":["b"],"extensions":{"code":"REQUEST_CANCELLED"}}]}
        """
    )
    #expect(history == [1])
  }
}
