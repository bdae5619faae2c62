import GraphQLEngine
import Testing

@Suite("Connections")
struct ConnectionTests {
  private struct Message: Sendable { let id: Int }

  /// All messages are those from 1 to 5.
  private static func page(_ page: GraphQLPage) -> GraphQLConnection<Message> {
    let cursor = page.cursor.flatMap { Int($0) }
    let all = (1...5).map { Message(id: $0) }
    if page.isBackward {
      return GraphQLConnection(all.filter { $0.id < cursor ?? 6 }.suffix(page.limit), page: page)
    }
    return GraphQLConnection(all.filter { $0.id > cursor ?? 0 }.prefix(page.limit), page: page)
  }

  private static let sdl = """
    directive @listSize(
      assumedSize: Int, slicingArguments: [String!], sizedFields: [String!], requireOneSlicingArgument: Boolean = true
    ) on FIELD_DEFINITION
    type Query {
      messages(first: Int = 2, after: String, last: Int, before: String): MessageConnection!
      some(first: Int!): [Int!]! @listSize(slicingArguments: ["first"])
      all: [Int!]!
    }
    type MessageConnection { edges: [MessageEdge!]! pageInfo: PageInfo! total: Int }
    type MessageEdge { node: Message! cursor: String! }
    type PageInfo { hasNextPage: Boolean! hasPreviousPage: Boolean! endCursor: String }
    type Message { id: Int! }
    """

  private let executor: GraphQLExecutor<Void>

  init() throws {
    var schema = GraphQLSchema<Void>(Self.sdl)
    schema.query("messages") { request in Self.page(try request.arguments.page(maximum: 3)) }
    // A negative size would end the process.
    schema.query("some") { request in Array((1...9).prefix(try request.arguments["first"])) }
    schema.query("all") { _ in [1] }
    schema.connection("MessageConnection", of: Message.self, cursor: \.id)
    schema.object("MessageConnection", GraphQLConnection<Message>.self) { $0.field("total") { _, _ in 5 } }
    schema.object("Message", Message.self) { $0.field("id", \.id) }
    executor = try GraphQLExecutor(schema)
  }

  @Test(arguments: [
    ("", [1, 2], true, false), ("(first: 3, after: \"2\")", [3, 4, 5], false, true),
    ("(first: null)", [1, 2, 3], true, false), ("(first: 0)", [], true, false),
    ("(last: 2)", [4, 5], false, true), ("(last: 3, before: \"3\")", [1, 2], true, false),
    ("(first: null, last: 1)", [5], false, true), ("(first: 1, last: null)", [1], true, false),
  ])
  func `have edges and the page's position`(arguments: String, ids: [Int64], hasNext: Bool, hasPrevious: Bool) async {
    let document = """
      { messages\(arguments) { edges { node { id } cursor } pageInfo { hasNextPage hasPreviousPage endCursor } total } }
      """
    let page = GraphQLResponse(json: await executor.execute(document, context: ())).data["messages"]
    #expect(page["edges"] == .list(ids.map { ["node": ["id": .int($0)], "cursor": "\($0)"] }))
    let end = ids.last.map { GraphQLValue.string("\($0)") } ?? .null
    #expect(
      page["pageInfo"]
        == ["hasNextPage": .boolean(hasNext), "hasPreviousPage": .boolean(hasPrevious), "endCursor": end]
    )
    #expect(page["total"] == 5)
  }

  @Test(arguments: [
    ("messages(first: -1) { total }", "`first` is -1, but must be from 0 to 3."),
    ("messages(last: 4) { total }", "`last` is 4, but must be from 0 to 3."),
    (
      "messages(last: 1, after: \"1\") { total }",
      "`last` can only be combined with `before`, and `after` with `first`."
    ),
    (
      "messages(first: 3, last: 1) { total }",
      "`last` can only be combined with `before`, and `after` with `first`."
    ),
    ("messages(before: \"1\") { total }", "`before` requires `last`."),
    ("some(first: -5)", "`first` is -5, but must not be negative."),
  ])
  func `sizes out of their range are errors of the client`(field: String, message: String) async {
    let response = GraphQLResponse(json: await executor.execute("{ \(field) }", context: ()))
    #expect(response.errors.map { $0["message"] } == [.string(message)], "\(response.json)")
    #expect(response.errors.map { $0["extensions"]["code"] } == ["BAD_USER_INPUT"])
  }

  @Test func `can share the types of their edges and of the page's position`() async throws {
    var schema = GraphQLSchema<Void>(
      """
      type Query { a: AConnection b: BConnection c: CConnection }
      type AConnection { nodes: [Int] } type BConnection { pageInfo: PageInfo! } type CConnection { pageInfo: PageInfo! }
      type PageInfo { startCursor: String }
      """
    )
    for field in ["a", "b", "c"] {
      schema.query(field) { _ in GraphQLConnection(nodes: [7], hasNextPage: false, hasPreviousPage: false) }
    }
    for name in ["AConnection", "BConnection", "CConnection"] { schema.connection(name, of: Int.self) { $0 } }
    let executor = try GraphQLExecutor(schema)
    let response = await executor.execute(
      "{ a { nodes } b { pageInfo { startCursor } } c { pageInfo { startCursor } } }",
      context: ()
    )
    let info = #"{"pageInfo":{"startCursor":"7"}}"#
    #expect(response == #"{"data":{"a":{"nodes":[7]},"b":\#(info),"c":\#(info)}}"#)
  }
}
