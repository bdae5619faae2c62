import GraphQLEngine
import Testing

@Suite("Fields that a resolver's request selects")
struct SelectionTests {
  private struct Page: Sendable { let text: String }

  private static func text(_ request: FieldRequest<Void>) -> String {
    ["count", "nodes", "text"].filter(request.selects).joined(separator: " ")
  }

  private let executor: GraphQLExecutor<Void>

  init() throws {
    var schema = GraphQLSchema<Void>(
      """
      type Query { atOnce: Page later: Page leaf: String }
      type Mutation { change: Page }
      type Page { text: String count: Int nodes: [Page!] }
      """
    )
    schema.query("atOnce") { request in Page(text: Self.text(request)) }
    schema.query("later") { request in
      await Task.yield()
      return Page(text: Self.text(request))
    }
    schema.query("leaf") { request in Self.text(request) }
    schema.mutation("change") { request in Page(text: Self.text(request)) }
    schema.object("Page", Page.self) { page in
      page.field("text", \.text)
      page.field("count") { _, _ in 1 }
      page.batchedField("nodes") { pages, request in
        pages.map { _ in [Page(text: Self.text(request))] }
      }
    }
    executor = try GraphQLExecutor(schema)
  }

  @Test(arguments: [
    ("{ atOnce { text } }", #"{"atOnce":{"text":"text"}}"#),
    ("{ later { ...F } } fragment F on Page { a: count text }", #"{"later":{"a":1,"text":"count text"}}"#),
    (
      "{ later { text nodes { text count @skip(if: true) } } }",
      #"{"later":{"text":"nodes text","nodes":[{"text":"text"}]}}"#
    ),
    ("mutation { change { count text } }", #"{"change":{"count":1,"text":"count text"}}"#),
    ("{ leaf }", #"{"leaf":""}"#),
  ])
  func `are those of the document`(document: String, data: String) async {
    #expect(await executor.execute(document, context: ()) == #"{"data":\#(data)}"#)
  }
}
