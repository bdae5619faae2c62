import GraphQLEngine
import Synchronization
import TestSupport
import Testing

@Suite("Loaders of a request")
struct LoaderTests {
  private struct User: Sendable { let id: Int, friendID: Int? }
  private struct Text: Sendable { let authorID: Int }
  private struct Picture: Sendable { let authorID: Int, viewerIDs: [Int] }
  private struct NoDatabase: Error {}

  private final class Loads: Sendable {
    private let texts = Mutex<[String]>([])
    var list: [String] { texts.withLock { $0 } }
    func append(_ keys: [Int]) { texts.withLock { $0.append("\(keys.sorted())") } }
  }

  private struct Context: Sendable {
    let loads = Loads()
    let users: GraphQLLoader<Int, User>

    init() {
      users = GraphQLLoader { [loads] ids in
        loads.append(ids)
        if ids.contains(13) { throw NoDatabase() }
        let known = ids.filter { $0 < 100 }
        return Dictionary(uniqueKeysWithValues: known.map { ($0, User(id: $0, friendID: $0 < 5 ? $0 + 1 : nil)) })
      }
    }
  }

  private let executor: GraphQLExecutor<Context>

  init() throws {
    var schema = GraphQLSchema<Context>(
      """
      type Query { messages: [Message!]! viewers(of: [Int!]!): Picture! user(id: Int!): User }
      interface Message { author: User }
      type Text implements Message { author: User }
      type Picture implements Message { author: User viewers: [User] }
      type User { id: Int! friend: User }
      """
    )
    schema.query("messages") { _ -> [any Sendable] in
      [
        Text(authorID: 1), Picture(authorID: 2, viewerIDs: [3, 1]), Text(authorID: 2),
        Picture(authorID: 1, viewerIDs: []), Text(authorID: 200),
      ]
    }
    schema.query("viewers") { request in Picture(authorID: 1, viewerIDs: try request.arguments["of"]) }
    schema.query("user") { request in try await request.context.users(try request.arguments["id"]) }
    schema.object("Text", Text.self) { $0.field("author", by: \.authorID, with: \.users) }
    schema.object("Picture", Picture.self) { picture in
      picture.field("author", by: \.authorID, with: \.users)
      picture.field("viewers", byEach: \.viewerIDs, with: \.users)
    }
    schema.object("User", User.self) { user in
      user.field("id", \.id)
      user.field("friend", by: \.friendID, with: \.users)
    }
    executor = try GraphQLExecutor(schema, onError: { _, _ in })
  }

  @Test func `load the keys of all fields of a level with one call, and each key once`() async {
    let context = Context()
    let document = "{ messages { author { id friend { id } } ... on Picture { viewers { id } } } }"
    let data = GraphQLResponse(json: await executor.execute(document, context: context)).data
    #expect(data["messages"][0]["author"] == ["id": 1, "friend": ["id": 2]])
    #expect(data["messages"][1]["viewers"] == [["id": 3], ["id": 1]])
    #expect(data["messages"][3] == ["author": ["id": 1, "friend": ["id": 2]], "viewers": []])
    #expect(data["messages"][4]["author"] == .null)
    // The friends 2 and 3 are known from the level before.
    #expect(context.loads.list == ["[1, 2, 3, 200]"])
    // Neither is a key without a value loaded again.
    _ = await executor.execute("{ messages { author { id } } user(id: 200) { id } }", context: context)
    #expect(context.loads.list.count == 1)
  }

  @Test func `a key without a value is null in a list, and an object without a key has no value`() async {
    let context = Context()
    let document = "{ viewers(of: [5, 100]) { viewers { id friend { id } } } }"
    let response = await executor.execute(document, context: context)
    #expect(response == #"{"data":{"viewers":{"viewers":[{"id":5,"friend":null},null]}}}"#)
    #expect(context.loads.list == ["[5, 100]"])
  }

  @Test func `an error is that of the keys of its call, and is not kept`() async {
    let context = Context()
    for _ in 1...2 {
      let document = "{ viewers(of: [13, 2]) { author { id } viewers { id } } }"
      let response = GraphQLResponse(json: await executor.execute(document, context: context))
      #expect(response.errors.map { $0["extensions"]["code"] } == ["INTERNAL_SERVER_ERROR", "INTERNAL_SERVER_ERROR"])
    }
    // A field that awaits its values only after the call has failed requests them once more.
    #expect(context.loads.list.filter { $0 == "[1, 2, 13]" }.count == 2)
    let response = await executor.execute("{ user(id: 2) { id } }", context: context)
    #expect(response == #"{"data":{"user":{"id":2}}}"#)
  }

  @Test func `a removed key is loaded again`() async throws {
    let context = Context()
    #expect(try await context.users(1)?.id == 1)
    context.users.remove(1)
    #expect(try await context.users(1)?.id == 1)
    #expect(try await context.users(1)?.id == 1)
    #expect(context.loads.list == ["[1]", "[1]"])
  }

  @Test func `a key that is removed while it is loaded is loaded again for later callers`() async throws {
    let calls = Counter()
    let (hasBegun, gate) = (Gate(), Gate())
    // The value of a key is the number of the call that has loaded it.
    let loader = GraphQLLoader<Int, Int> { keys in
      calls.increment()
      let call = calls.count
      if call == 1 {
        hasBegun.open()
        await gate.pass()
      }
      return Dictionary(uniqueKeysWithValues: keys.map { ($0, call) })
    }
    let first = Task { try await loader(4) }
    await hasBegun.pass()
    loader.remove(4)
    // Requests the key before the first call has ended.
    let second = Task.immediate { try await loader(4) }
    gate.open()
    #expect(try await first.value == 1)
    #expect(try await second.value == 2)
    #expect(try await loader(4) == 2)
    #expect(calls.count == 2)
  }

  @Test func `a caller is not cancelled with the one whose task loads`() async throws {
    let calls = Mutex(0)
    let (hasBegun, isCancelled) = (Gate(), Gate())
    let loader = GraphQLLoader<Int, Int> { keys in
      let isFirst = calls.withLock { count in
        count += 1
        return count == 1
      }
      if isFirst {
        hasBegun.open()
        await withTaskCancellationHandler {
          await isCancelled.pass()
        } onCancel: {
          isCancelled.open()
        }
        try Task.checkCancellation()
      }
      return Dictionary(uniqueKeysWithValues: keys.map { ($0, $0 * 2) })
    }
    let first = Task { try await loader(4) }
    await hasBegun.pass()
    // Waits for the first one's load before that is cancelled.
    let second = Task.immediate { try await loader(4) }
    first.cancel()
    #expect(try await second.value == 8)
    await #expect(throws: CancellationError.self) { try await first.value }
    #expect(calls.withLock { $0 } == 2)
  }
}
