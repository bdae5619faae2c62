import EventLoop
import GraphQL
import TestSupport
import Testing

@testable import GraphQLTransport

@Suite("Turns of documents that are prepared", .timeLimit(.minutes(1)))
struct PreparationTurnsTests {
  /// The queue of a loop, whose turns are taken by tasks.
  private actor Loop {
    let turns: PreparationTurns
    private(set) var begun: [String] = []

    init(limit: Int) { turns = PreparationTurns(limit: limit) }

    var waitingCount: Int { turns.waitingCount }

    func begin(_ name: String, _ client: Int) async throws {
      try await turns.begin(in: WorkLane(kind: 0, client: client))
      begun.append(name)
    }

    func end() { turns.end() }

    func record(_ failure: PreparationTurns.Failure) { turns.record(failure) }

    func hasErrors(_ document: String, named name: String?, allowsIntrospection: Bool = true) -> Bool {
      turns.errors(of: Array(document.utf8), named: name, allowsIntrospection: allowsIntrospection) != nil
    }

    /// Begins a turn in a task, and returns when it waits.
    func wait(_ name: String, _ client: Int) async -> Task<Void, any Error> {
      let count = waitingCount
      let task = Task { try await begin(name, client) }
      while waitingCount == count { await Task.yield() }
      return task
    }
  }

  @Test func `one document is prepared at a time, and callers take turns`() async throws {
    let loop = Loop(limit: 10)
    try await loop.begin("first", 1)
    var waiting: [Task<Void, any Error>] = []
    for (name, client) in [("a1", 1), ("a2", 1), ("b", 2), ("c", 3)] {
      waiting.append(await loop.wait(name, client))
    }
    #expect(await loop.begun == ["first"])
    for count in 2...5 {
      await loop.end()
      while await loop.begun.count < count { await Task.yield() }
      #expect(await loop.waitingCount == 5 - count)
    }
    for task in waiting { try await task.value }
    #expect(await loop.begun == ["first", "a1", "b", "c", "a2"])
    await loop.end()
    try await loop.begin("last", 1)
  }

  @Test func `a caller who fills the queue displaces their own requests only`() async throws {
    let loop = Loop(limit: 2)
    try await loop.begin("first", 1)
    let (a1, a2) = (await loop.wait("a1", 1), await loop.wait("a2", 1))
    await #expect(throws: WorkerPool.Overloaded()) { try await loop.begin("a3", 1) }
    let b = Task { try await loop.begin("b", 2) }
    await #expect(throws: WorkerPool.Overloaded()) { try await a2.value }
    for task in [a1, b] {
      await loop.end()
      try await task.value
    }
    #expect(await loop.begun == ["first", "a1", "b"])
  }

  @Test func `the turn of a request whose client has gone is the next one's`() async throws {
    let loop = Loop(limit: 10)
    try await loop.begin("first", 1)
    let (gone, next) = (await loop.wait("gone", 1), await loop.wait("next", 1))
    gone.cancel()
    await loop.end()
    await #expect(throws: CancellationError.self) { try await gone.value }
    try await next.value
    #expect(await loop.begun == ["first", "next"])
  }

  @Test func `a failure is that of the document, the operation and the rights, while requests wait`() async throws {
    let loop = Loop(limit: 10)
    try await loop.begin("first", 1)
    let next = await loop.wait("next", 1)
    await loop.record(
      PreparationTurns.Failure(
        document: Array("{ a }".utf8),
        operationName: "A",
        allowsIntrospection: true,
        errors: GraphQLErrors([GraphQLError("No such field.", code: .validationFailed)])
      )
    )
    await loop.end()
    try await next.value
    #expect(await loop.hasErrors("{ a }", named: "A"))
    #expect(await !loop.hasErrors("{ b }", named: "A"))
    #expect(await !loop.hasErrors("{ a }", named: nil))
    #expect(await !loop.hasErrors("{ a }", named: "A", allowsIntrospection: false))
    await loop.end()
    #expect(await !loop.hasErrors("{ a }", named: "A"))
  }
}
