import Testing

@testable import GraphQL

/// The number of loader calls, and the number of objects in each. The engine is fast because neither grows with the
/// size of the response.
@Suite("Loading")
struct LoadingTests {
  static func loads(_ document: String) async throws -> [String: [Int]] {
    try await ZooServer().answer(ZooRequest(document: document)).context.loads
  }

  @Test func `each type is loaded once per level`() async throws {
    // Cats 0 and 2 and dog 1, their next ones, and the next ones of those.
    let loads = try await Self.loads("{ named { number next { number next { number } } } }")
    #expect(loads == ["Query.named": [1], "Cat": [2, 2, 1], "Dog": [1, 1, 1]])
  }

  @Test func `an object is loaded once for any number of references`() async throws {
    // All objects reference cats 1 and 2, in lists and single fields, and these reference themselves.
    let loads = try await Self.loads(
      "{ a: cat { id } b: cat { number } c: cat(n: 2) { id } nodes(ids: [\"cat:1\", \"cat:1\", \"cat:2\"]) { id ... on Cat { next { id } } } }"
    )
    #expect(loads == ["Cat": [2, 1]])
  }

  @Test func `an object that does not exist is requested once`() async throws {
    let loads = try await Self.loads(
      #"{ nodes(ids: ["cat:77", "cat:77"]) { id } dog(n: 39) { next { id } b: next { number next { id } } } }"#
    )
    #expect(loads["Cat"] == [1] && loads["Dog"] == [1, 1])
  }

  @Test func `aliases of a field share one call`() async throws {
    let loads = try await Self.loads(
      "{ cat { a: friends { id } b: friends { number } c: friends(first: 2, from: 1) { name } } }"
    )
    #expect(loads["Cat.friends"] == [1])
  }

  @Test func `different arguments make different calls`() async throws {
    let loads = try await Self.loads("{ cat { a: friends { id } b: friends(first: 1) { id } } }")
    #expect(loads["Cat.friends"] == [1, 1])
  }

  @Test func `parents of one type in different fields form one batch`() async throws {
    let loads = try await Self.loads(
      "{ a: cat { friends { id } } b: cat(n: 2) { friends { number } } c: cat { friends { id } } }"
    )
    #expect(loads["Cat.friends"] == [2])
  }

  @Test func `calls with equal variables are shared`() async throws {
    let answer = try await ZooServer().answer(
      ZooRequest(
        document: "query($n: Int) { cat { a: friends(first: $n) { id } b: friends(first: $n) { number } } }",
        variables: #"{"n":1}"#
      )
    )
    #expect(answer.context.loads["Cat.friends"] == [1])
    #expect(answer.json == #"{"data":{"cat":{"a":[{"id":"cat:2"}],"b":[{"number":2}]}}}"#)
  }

  @Test func `a deeper level calls only for objects that are new`() async throws {
    // Cat 1 references cat 2 and dog 3, cat 2 references dog 3 and cat 4.
    let loads = try await Self.loads("{ cat { friends { friends { friends { id } } } a: next { friends { id } } } }")
    #expect(loads["Cat.friends"] == [1, 1, 1])
    #expect(loads["Dog.friends"] == [1, 1])
    let selves = try await Self.loads("{ named { number } self { named { id } self { named { name } } } }")
    #expect(selves["Query.named"] == [1])
  }

  @Test func `no call is made without parents`() async throws {
    let loads = try await Self.loads(
      #"{ cat(n: 77) { friends { id } } nodes(ids: []) { ... on Cat { things { ... on Dog { id } } } } }"#
    )
    #expect(loads == ["Cat": [1]])
  }

  @Test func `results of parents can be added in any order`() async throws {
    // `things` adds each item in the reverse order of the parents.
    let json = try await ZooServer().answer(
      "{ named { ... on Cat { things(first: 3) { __typename ... on Node { id } } } } }"
    )
    #expect(
      json
        == #"{"data":{"named":[{"things":[{"__typename":"Cat","id":"cat:0"},{"__typename":"Dog","id":"dog:1"},{"__typename":"Rock","id":"rock:2"}]},{},{"things":[{"__typename":"Rock","id":"rock:2"},{"__typename":"Cat","id":"cat:3"},{"__typename":"Dog","id":"dog:4"}]}]}}"#
    )
  }

  @Test func `the context is notified before an asynchronous call, and only then`() async throws {
    let server = try ZooServer()
    #expect(await server.answer(ZooRequest(document: "{ named { friends { id } } }")).context.suspensions == 0)
    #expect(await server.answer(ZooRequest(document: "{ cat { slow } }")).context.suspensions == 1)
  }
}
