import GraphQLEngine
import Synchronization
import Testing

@Suite("Errors that are reported to the application")
struct ErrorReportTests {
  private final class Reports: Sendable {
    private let texts = Mutex<[String]>([])
    var list: [String] { texts.withLock { $0 } }
    func append(_ error: Any) { texts.withLock { $0.append("\(error)") } }
  }

  private struct Secretive: Sendable { let secret = "the name of a child" }

  @Test func `the end of a connection is not an error of the application`() async throws {
    let reports = Reports()
    var schema = GraphQLSchema<Void>("type Query { slow: Int }")
    let (started, start) = AsyncStream<Void>.makeStream()
    // Ends only by a cancellation.
    let (never, source) = AsyncStream<Void>.makeStream()
    schema.query("slow") { _ in
      start.yield()
      for await _ in never {}
      try Task.checkCancellation()
      return 1
    }
    let executor = try GraphQLExecutor(schema) { error, _ in reports.append(error) }
    let request = Task { await executor.execute("{ slow }", context: ()) }
    for await _ in started { break }
    request.cancel()
    _ = await request.value
    source.finish()
    #expect(reports.list == [])
  }

  @Test func `a resolver that ends itself is reported`() async throws {
    let reports = Reports()
    var schema = GraphQLSchema<Void>("type Query { slow: Int }")
    schema.query("slow") { _ in
      if reports.list.isEmpty { throw CancellationError() }
      return 1
    }
    _ = try await GraphQLExecutor(schema) { error, _ in reports.append(error) }.execute("{ slow }", context: ())
    #expect(reports.list == ["CancellationError()"])
  }

  @Test func `a report about an object of another type does not contain it`() async throws {
    let reports = Reports()
    var schema = GraphQLSchema<Void>("type Query { thing: Thing } type Thing { name: String }")
    schema.query("thing") { _ -> any Sendable in Secretive() }
    schema.object("Thing", String.self) { $0.field("name") { text, _ in text } }
    let executor = try GraphQLExecutor(schema) { error, _ in reports.append(error) }
    _ = await executor.execute("{ thing { name } }", context: ())
    #expect(reports.list.count == 1)
    #expect(reports.list.allSatisfy { $0.contains("Secretive") && !$0.contains("child") }, "\(reports.list)")
  }

  private enum ShopError: GraphQLErrorConvertible {
    case soldOut(left: Int)

    var graphQLError: GraphQLError {
      switch self {
      case .soldOut(let left): GraphQLError("Sold out.", code: "SOLD_OUT", extensions: ["left": .int(Int64(left))])
      }
    }
  }

  @Test func `an error of the application states what clients see`() async throws {
    let reports = Reports()
    var schema = GraphQLSchema<Void>(
      """
      type Query { leaf: Int later: Int shop: Shop } type Shop { name: String }
      type Subscription { sales: Int prices: Int }
      """
    )
    schema.query("leaf") { _ -> Int in throw ShopError.soldOut(left: 2) }
    schema.query("later") { _ -> Int in
      await Task.yield()
      throw ShopError.soldOut(left: 2)
    }
    schema.query("shop") { _ -> String in throw ShopError.soldOut(left: 2) }
    schema.object("Shop", String.self) { $0.field("name", \.self) }
    schema.subscription("sales") { _ -> AsyncStream<Int> in throw ShopError.soldOut(left: 2) }
    schema.subscription("prices") { _ in
      AsyncThrowingStream<Int, any Error> { $0.finish(throwing: ShopError.soldOut(left: 2)) }
    }
    let executor = try GraphQLExecutor(schema) { error, _ in reports.append(error) }
    let documents = [
      "{ leaf }", "{ later }", "{ shop { name } }", "subscription { sales }", "subscription { prices }",
    ]
    for document in documents {
      var count = 0
      for await response in executor.responses(to: document, context: ()) {
        count += 1
        #expect(response.contains(#""message":"Sold out.""#), "\(document): \(response)")
        #expect(response.contains(#""extensions":{"code":"SOLD_OUT","left":2}"#), "\(document): \(response)")
      }
      #expect(count == 1, "\(document)")
    }
    #expect(reports.list == [])
  }

  @Test func `the cost can be unlimited`() {
    var limits = GraphQLLimits()
    limits.cost = .max
    #expect(limits.cost == .max)
    limits.cost = 5_000
    #expect(limits.cost == 5_000)
  }

  /// The parser rejects deeper documents.
  @Test func `the depth is at most 64`() {
    var limits = GraphQLLimits()
    limits.depth = 100
    #expect(limits.depth == 64)
    limits.depth = 40
    #expect(limits.depth == 40)
  }

  @Test func `an argument that the schema does not declare is reported, and not missing`() async throws {
    let reports = Reports()
    var schema = GraphQLSchema<Void>("type Query { greeting(name: String): String }")
    schema.query("greeting") { request in
      let name: String? = try request.arguments["nome"]
      return name
    }
    let executor = try GraphQLExecutor(schema) { error, field in reports.append("\(field): \(error)") }
    let response = await executor.execute(#"{ greeting(name: "Ada") }"#, context: ())
    #expect(response.contains("INTERNAL_SERVER_ERROR"))
    let report =
      #"Query.greeting: The schema declares no argument "nome" of Query.greeting. Did you mean "name"?"#
    #expect(reports.list == [report])
  }
}
