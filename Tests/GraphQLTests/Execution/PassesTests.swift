import Bytes
import Testing

@testable import GraphQL

/// Executions whose data is not there at once: resolvers are called in passes.
@Suite("Executions in passes")
struct PassesTests {
  private let server: ZooServer

  init() throws { server = try ZooServer() }

  @Test func `respond as if all data were there at once`() async throws {
    var generator = RequestGenerator(server.executable.schema, seed: 11)
    var roundTrips = 0
    for _ in 0..<500 {
      let request = generator.request()
      let expected = await server.answer(request)
      let answer = await server.answer(request) { $0.hasDataAtOnce = false }
      #expect(answer.json == expected.json, "\(request)")
      #expect(answer.context.reports == expected.context.reports, "\(request)")
      roundTrips += answer.context.roundTrips
    }
    #expect(roundTrips > 300)
  }

  @Test func `respond the same at whatever point they become overdue`() async throws {
    var generator = RequestGenerator(server.executable.schema, seed: 13)
    var moved = 0
    for _ in 0..<150 {
      let request = generator.request()
      let expected = await server.answer(request).json
      for looks in 0..<6 {
        let answer = await server.answer(request) { context in
          context.hasDataAtOnce = false
          context.looksLeft = looks
        }
        moved += answer.context.moves
        #expect(answer.json == expected, "after \(looks) looks: \(request)")
      }
    }
    #expect(moved > 300)
  }

  @Test func `respond the same whenever the snapshot is lost`() async throws {
    var generator = RequestGenerator(server.executable.schema, seed: 17)
    var losses = 0
    for _ in 0..<150 {
      let request = generator.request()
      let expected = await server.answer(request)
      for lost in 1...3 {
        let answer = await server.answer(request) { context in
          context.hasDataAtOnce = false
          context.lostRoundTrip = lost
        }
        losses += answer.context.losses
        #expect(answer.json == expected.json, "at \(lost): \(request)")
      }
    }
    #expect(losses > 50)
  }

  @Test func `fetch the data of a level in one round trip`() async throws {
    // The cats and the dog; the friends of both, and their tags; the friends themselves.
    let document = """
      { a: cat(n: 1) { ...Animal } b: cat(n: 2) { ...Animal } dog(n: 3) { ...Animal } }
      fragment Animal on Named { tag friends(first: 2) { id } }
      """
    let answer = await server.answer(ZooRequest(document: document)) { $0.hasDataAtOnce = false }
    #expect(answer.json == (await server.answer(document)))
    #expect(answer.context.roundTrips == 3)
  }

  @Test func `fetch the objects that other calls of a level refer to in the same round trip`() async throws {
    // The cat; its friends, and the next cat, which is known already; the friends.
    let document = "{ cat(n: 1) { next { id } friends(first: 2) { id } } }"
    let answer = await server.answer(ZooRequest(document: document)) { $0.hasDataAtOnce = false }
    #expect(answer.json == (await server.answer(document)))
    #expect(answer.context.roundTrips == 3)
  }

  @Test func `of mutations run each change once`() async throws {
    let document = "mutation { a: add(number: 1) { value cat { tag next { id } } } b: add(number: 2) { history } }"
    let answer = await server.answer(ZooRequest(document: document)) { $0.hasDataAtOnce = false }
    #expect(answer.json == (await server.answer(document)))
    #expect(answer.context.history == [1, 2])
    #expect(answer.context.roundTrips == 2)
  }

  @Test func `suspend once where all data is fetched before`() async throws {
    let answer = await server.answer(ZooRequest(document: "{ echo }")) { $0.hasDataAtOnce = false }
    #expect(answer.json == (await server.answer("{ echo }")))
    #expect(answer.context.roundTrips == 0)
  }
}

/// Resolvers that never have enough.
@Suite("Resolvers that ask for other data in each pass")
struct EndlessPassesTests {
  @Test func `get an error`() async throws {
    let context = InsatiableContext()
    let json = try await Self.answer("{ leaf object { leaf } }", context)
    #expect(try messages(json).count == 2)
    #expect(json.hasPrefix(#"{"data":{"leaf":null,"object":null}"#), "\(json)")
    await #expect(throws: ResultError.self) { try await context.inPasses { context.isWaiting = true } }
  }

  @Test func `are called again after their error when the snapshot is lost`() async throws {
    let context = InsatiableContext()
    // The one after the last pass, in which the resolver is not called.
    context.lostRoundTrip = context.maximumPasses + 1
    #expect(try await Self.answer("{ leaf }", context) == #"{"data":{"leaf":"enough"}}"#)
    #expect(context.hasEnough)
  }

  private static func answer(_ document: String, _ context: InsatiableContext) async throws -> String {
    let executable = try ExecutableSchema(
      try SchemaBuilder.build("type Query { leaf: String object: Query }"),
      objects: [
        "Query": ObjectBinding(fields: [
          "leaf": .leaf(needs: []) { view in
            (view.context as? InsatiableContext)?.ask()
            return .string("enough")
          },
          "object": .load(needs: []) { batch, context in (context as? InsatiableContext)?.ask() },
        ])
      ]
    )
    let operation = try Preparation(executable).prepare(Array(document.utf8), operationName: nil)
    let response = await Executor(executable).execute(operation, variables: .none, context: context)
    return String(decoding: response.array(), as: UTF8.self)
  }

  private final class InsatiableContext: ExecutionContext {
    var isWaiting = false
    /// Whether resolvers find what they ask for.
    private(set) var hasEnough = false
    /// The round trip in which the snapshot is lost. From then on, resolvers have enough.
    var lostRoundTrip: Int?
    private var roundTrips = 0

    func ask() { isWaiting = !hasEnough }

    var answersAtOnce: Bool { false }
    func beginPass() { isWaiting = false }
    func endPass() -> Bool { isWaiting }
    func answers(canBeginAgain _: Bool) async throws(FieldError) {
      roundTrips += 1
      guard roundTrips == lostRoundTrip else { return }
      hasEnough = true
      throw .internalError
    }
    func objectType(of key: Int64) -> TypeID? { nil }
    func willSuspend() {}
    func report(_ error: any Error, at field: String) {}
  }
}
