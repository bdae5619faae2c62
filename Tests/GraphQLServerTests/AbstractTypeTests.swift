import GraphQLEngine
import Testing

@Suite("Swift types of interfaces and unions")
struct AbstractTypeTests {
  private struct Order: Sendable { let id: Int }
  private struct OutOfStock: Sendable { let left: Int }
  private enum OrderResult: Sendable { case order(Order), outOfStock(OutOfStock), other(Int) }
  private struct Item: Sendable { let id: Int, kind: String }

  private static let sdl = """
    type Query {
      result(n: Int!): OrderResult results: [OrderResult] plain: OrderResult products: [Product!] odd: Product
    }
    union OrderResult = Order | OutOfStock
    type Order { id: Int } type OutOfStock { left: Int }
    interface Product { id: Int } type Book implements Product { id: Int } type Magazine implements Product { id: Int }
    """

  private static var schema: GraphQLSchema<Void> {
    var schema = GraphQLSchema<Void>(sdl)
    schema.query("result") { request in
      let number: Int = try request.arguments["n"]
      if number < 3 { return OrderResult.order(Order(id: number)) }
      return number < 5 ? .outOfStock(OutOfStock(left: 2)) : .other(1)
    }
    schema.query("results") { _ in [OrderResult.outOfStock(OutOfStock(left: 0)), nil] }
    schema.query("plain") { _ in Order(id: 9) }
    schema.query("products") { _ in [Item(id: 1, kind: "Book"), Item(id: 2, kind: "Magazine")] }
    schema.query("odd") { _ in Item(id: 3, kind: "Order") }
    schema.object("Order", Order.self) { $0.field("id", \.id) }
    schema.object("OutOfStock", OutOfStock.self) { $0.field("left", \.left) }
    schema.object("Book", Item.self) { $0.field("id", \.id) }
    schema.object("Magazine", Item.self) { $0.field("id", \.id) }
    return schema
  }

  private static var executor: GraphQLExecutor<Void> {
    get throws {
      var schema = schema
      schema.abstractType("OrderResult", OrderResult.self) {
        switch $0 {
        case .order(let order): order
        case .outOfStock(let problem): problem
        case .other(let number): number
        }
      }
      schema.abstractType("Product", Item.self, typeName: \.kind)
      return try GraphQLExecutor(schema, onError: { _, _ in })
    }
  }

  @Test(arguments: [
    ("result(n: 1) { __typename ... on Order { id } }", #"{"result":{"__typename":"Order","id":1}}"#),
    ("result(n: 4) { ... on OutOfStock { left } }", #"{"result":{"left":2}}"#),
    ("results { ... on OutOfStock { left } }", #"{"results":[{"left":0},null]}"#),
    ("plain { ... on Order { id } }", #"{"plain":{"id":9}}"#),
    (
      "products { __typename id }",
      #"{"products":[{"__typename":"Book","id":1},{"__typename":"Magazine","id":2}]}"#
    ),
  ])
  func `determine the objects`(field: String, data: String) async throws {
    #expect(try await Self.executor.execute("{ \(field) }", context: ()) == #"{"data":\#(data)}"#)
  }

  @Test(arguments: ["result(n: 7) { __typename }", "odd { __typename }"])
  func `an object of another type is an error`(field: String) async throws {
    let response = try await Self.executor.execute("{ \(field) }", context: ())
    #expect(response.contains(#""code":"INTERNAL_SERVER_ERROR""#))
  }

  @Test func `are registered once, for an interface or a union`() {
    var schema = Self.schema
    schema.abstractType("Order", OrderResult.self) { _ in 1 }
    schema.abstractType("Product", Item.self, typeName: \.kind)
    schema.abstractType("Product", Item.self) { $0.id }
    let error = #expect(throws: GraphQLSchemaError.self) { try GraphQLExecutor(schema) }
    #expect(
      error?.description == """
        Order is registered as an abstract type, but the schema has no interface or union of that name.
        Product is registered with Item several times.
        Query.result is resolved with OrderResult, but OrderResult is not registered as an object type of OrderResult.
        Query.results is resolved with Array<Optional<OrderResult>>, but OrderResult is not registered as an object \
        type of OrderResult.
        """
    )
  }
}
