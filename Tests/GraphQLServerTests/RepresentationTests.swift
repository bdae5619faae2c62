import GraphQLEngine
import Synchronization
import Testing

@Suite("Swift types of built-in scalars and enums")
struct RepresentationTests {
  private struct Key: Decodable, Sendable {
    let text: String
    init(from decoder: any Decoder) throws { throw CancellationError() }
    init?(_ text: String) {
      guard text.hasPrefix("k") else { return nil }
      self.text = text
    }
  }
  private struct Cents: Decodable, Sendable { let count: Int }
  private struct Day: Decodable, Sendable { let name: String }
  private enum Role: String, CaseIterable, Decodable, Sendable { case admin = "ADMIN", member = "MEMBER" }

  private final class Reports: Sendable {
    private let texts = Mutex<[String]>([])
    var list: [String] { texts.withLock { $0 } }
    func append(_ text: String) { texts.withLock { $0.append(text) } }
  }

  private static let sdl = """
    scalar Day
    enum Role { ADMIN MEMBER GUEST }
    type Query {
      key(id: ID!): ID! keys(ids: [ID!]!): [ID!]! price(of: Float!): Float! day(on: Day): Day role(is: Role): Role
    }
    """

  private static func makeSchema() -> GraphQLSchema<Void> {
    var schema = GraphQLSchema<Void>(sdl)
    schema.represent(Key.self, as: "ID") {
      Key($0)
    } write: {
      $0.text
    }
    schema.represent(Cents.self, as: "Float") { value in
      guard case .double(let number) = value, number >= 0 else {
        throw GraphQLError("A price is not negative.", code: "PRICE")
      }
      return Cents(count: Int(number * 100))
    } writeValue: {
      .double(Double($0.count) / 100)
    }
    schema.scalar("Day", Day.self) { text in
      guard !text.isEmpty else { return nil }
      guard text.hasSuffix("day") else { throw GraphQLError("A day ends with \"day\".", code: "DAY") }
      return Day(name: text)
    } write: {
      $0.name
    }
    schema.query("key") { request -> Key in try request.arguments["id"] }
    schema.query("keys") { request -> [Key] in try request.arguments["ids"] }
    schema.query("price") { request -> Cents in try request.arguments["of"] }
    schema.query("day") { request -> Day? in try request.arguments["on"] }
    schema.query("role") { request -> Role? in try request.arguments["is"] }
    return schema
  }

  private let reports = Reports()
  private let executor: GraphQLExecutor<Void>

  init() throws {
    let reports = reports
    executor = try GraphQLExecutor(Self.makeSchema()) { error, field in reports.append("\(field): \(error)") }
  }

  @Test(arguments: [
    (#"key(id: "k1")"#, #"{"key":"k1"}"#), (#"keys(ids: ["k1", "k2"])"#, #"{"keys":["k1","k2"]}"#),
    ("price(of: 2.5)", #"{"price":2.5}"#), (#"day(on: "Monday")"#, #"{"day":"Monday"}"#),
    ("role(is: ADMIN)", #"{"role":"ADMIN"}"#),
  ])
  func `are arguments and results`(field: String, data: String) async {
    #expect(await executor.execute("{ \(field) }", context: ()) == #"{"data":\#(data)}"#)
  }

  @Test(arguments: [
    (#"key(id: "x")"#, #"Argument "id": Expected a Key."#, "BAD_USER_INPUT"),
    (#"keys(ids: ["k1", "x"])"#, #"Argument "ids.1": Expected a Key."#, "BAD_USER_INPUT"),
    ("price(of: -1)", #"Argument "of": Expected a Cents. A price is not negative."#, "BAD_USER_INPUT"),
    (#"day(on: "")"#, #"Day cannot represent """#, "GRAPHQL_VALIDATION_FAILED"),
    (#"day(on: "May")"#, #"Day cannot represent "May": A day ends with "day"."#, "GRAPHQL_VALIDATION_FAILED"),
  ])
  func `a value that cannot be read is an error of the client`(field: String, message: String, code: String) async {
    let response = GraphQLResponse(json: await executor.execute("{ \(field) }", context: ()))
    #expect(response.errors.map { $0["message"] } == [.string(message)])
    #expect(response.errors[0]["extensions"]["code"] == .string(code))
    #expect(reports.list == [])
  }

  @Test func `a value of the schema that the Swift enum lacks is reported`() async {
    let response = await executor.execute("{ role(is: GUEST) }", context: ())
    #expect(response.contains("INTERNAL_SERVER_ERROR"), "\(response)")
    #expect(reports.list.count == 1 && reports.list[0].hasPrefix(#"Query.role: Argument "is": "#), "\(reports.list)")
  }

  @Test func `that cannot be used are errors of the start`() {
    var schema = Self.makeSchema()
    schema.enumeration("Role", Role.self)
    schema.enumeration("Rank", Role.self)
    schema.represent(Int16.self, as: "Day") {
      Int16($0)
    } write: {
      "\($0)"
    }
    schema.represent(Int8.self, as: "Int") {
      Int8($0)
    } write: {
      "\($0)"
    }
    schema.represent(Key.self, as: "String") {
      Key($0)
    } write: {
      $0.text
    }
    schema.represent(String.self, as: "ID") {
      $0
    } write: {
      $0
    }
    let error = #expect(throws: GraphQLSchemaError.self) { try GraphQLExecutor(schema) }
    #expect(
      error?.description == """
        Key is the Swift type of the scalars ID and String: a type represents one.
        Int16 represents Day, which is not a built-in scalar: use `scalar`.
        Int8 represents Int, whose values are not strings: use represent(_:as:readValue:writeValue:).
        String represents ID, but is a Swift type of built-in scalars already: use a type of your own.
        Role has no case for the value GUEST of the enum Role.
        Rank is registered as an enum, but the schema has no enum of that name.
        """
    )
  }

  @Test func `a case that the schema lacks is an error of the start`() {
    var schema = GraphQLSchema<Void>("enum Role { ADMIN } type Query { role: Role }")
    schema.query("role") { _ in Role.admin }
    schema.enumeration("Role", Role.self)
    let error = #expect(throws: GraphQLSchemaError.self) { try GraphQLExecutor(schema) }
    #expect(error?.description == "Role has a case for MEMBER, which is no value of the enum Role.")
  }
}
