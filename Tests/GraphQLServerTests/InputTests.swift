import GraphQLEngine
import Synchronization
import Testing

@Suite("Arguments as Swift values")
struct InputTests {
  private struct ISBN: Decodable { let code: String, edition: Int? }
  private enum BookBy: Decodable {
    case id(Int), title(String), isbn(ISBN), formats([String])
    case range(from: Int, to: Int)
  }
  private struct Patch: Decodable {
    let title: GraphQLNullable<String>
    let pages: GraphQLNullable<Int>
  }
  /// Keys with any names.
  private struct AnyKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }
  private struct Nested: Decodable {
    let code: String
    init(from decoder: any Decoder) throws {
      let fields = try decoder.container(keyedBy: AnyKey.self)
      let isbn = try fields.nestedContainer(keyedBy: AnyKey.self, forKey: AnyKey(stringValue: "isbn"))
      code = try isbn.decode(String.self, forKey: AnyKey(stringValue: "code"))
    }
  }
  private struct Loose: Decodable { let title: String }

  private static let sdl = """
    scalar JSON
    input ISBN { code: String! edition: Int }
    input Range { from: Int! to: Int! }
    input BookBy @oneOf { id: ID title: String isbn: ISBN formats: [String!] range: Range }
    input Patch { title: String pages: Int json: JSON }
    type Query {
      book(by: BookBy!): String nested(by: BookBy!): String patch(patch: Patch!): String pages(pages: Int): String
      number(x: Int): Int small(x: Int!): Int loose(patch: Patch!): String text(x: Float!): String
      json(json: JSON): String object(json: JSON): String items(items: [JSON]): Int
    }
    """

  private let executor: GraphQLExecutor<Void>
  private let reports = Reports()

  private final class Reports: Sendable {
    private let texts = Mutex<[String]>([])
    var list: [String] { texts.withLock { $0 } }
    func append(_ text: String) { texts.withLock { $0.append(text) } }
  }

  init() throws {
    var schema = GraphQLSchema<Void>(Self.sdl)
    schema.query("book") { request in
      let by: BookBy = try request.arguments["by"]
      return switch by {
      case .id(let id): "id \(id)"
      case .title(let title): "title \(title)"
      case .isbn(let isbn): "isbn \(isbn.code) \(isbn.edition ?? 0)"
      case .formats(let formats): "formats \(formats)"
      case .range(let from, let to): "\(from) to \(to)"
      }
    }
    schema.query("nested") { request in
      let nested: Nested = try request.arguments["by"]
      return nested.code
    }
    schema.query("patch") { request in
      let patch: Patch = try request.arguments["patch"]
      return "\(patch.title) \(patch.pages)"
    }
    schema.query("pages") { request in
      let pages: GraphQLNullable<Int> = try request.arguments["pages"]
      return "\(pages)"
    }
    schema.query("number") { request -> Int in try request.arguments["x"] }
    schema.query("small") { request in
      let number: Int8 = try request.arguments["x"]
      return Int(number)
    }
    schema.query("loose") { request in
      let patch: Loose = try request.arguments["patch"]
      return patch.title
    }
    schema.query("text") { request -> String in try request.arguments["x"] }
    schema.query("json") { request -> String in try request.arguments["json"] }
    schema.query("object") { request in
      let object: Loose = try request.arguments["json"]
      return object.title
    }
    schema.query("items") { request in
      let items: [Int] = try request.arguments["items"]
      return items.count
    }
    let reports = reports
    executor = try GraphQLExecutor(schema) { error, field in reports.append("\(field): \(error)") }
  }

  @Test(arguments: [
    ("{id: 5}", "id 5"), (#"{title: "Emma"}"#, "title Emma"), (#"{isbn: {code: "x"}}"#, "isbn x 0"),
    (#"{isbn: {code: "x", edition: 2}}"#, "isbn x 2"), (#"{formats: ["a"]}"#, #"formats [\"a\"]"#),
    ("{range: {from: 1, to: 2}}", "1 to 2"),
  ])
  func `an input object with one field is a case of an enum`(value: String, text: String) async {
    let response = await executor.execute("{ book(by: \(value)) }", context: ())
    #expect(response == #"{"data":{"book":"\#(text)"}}"#)
  }

  @Test func `the path of an error has no name of the compiler`() async {
    let response = await executor.execute(#"{ book(by: {id: "x"}) }"#, context: ())
    #expect(response.contains(#""message":"Argument \"by.id\": Expected an integer.""#), "\(response)")
    #expect(response.contains(#""code":"BAD_USER_INPUT""#) && reports.list == [])
  }

  @Test func `a container of keys with any names is that of the fields`() async {
    let response = await executor.execute(#"{ nested(by: {isbn: {code: "x"}}) }"#, context: ())
    #expect(response == #"{"data":{"nested":"x"}}"#)
  }

  @Test(arguments: [
    ("patch(patch: {})", "absent absent"), ("patch(patch: {title: null, pages: 3})", "null value(3)"),
    (#"patch(patch: {title: "x", pages: null})"#, #"value(\"x\") null"#), ("pages", "absent"),
    ("pages(pages: null)", "null"), ("pages(pages: 3)", "value(3)"),
  ])
  func `null differs from absence`(field: String, text: String) async {
    let name = field.prefix { $0 != "(" }
    let response = await executor.execute("{ \(field) }", context: ())
    #expect(response == #"{"data":{"\#(name)":"\#(text)"}}"#)
  }

  @Test(arguments: [
    ("number", #"Query.number: Argument "x": Expected an integer."#),
    ("number(x: null)", #"Query.number: Argument "x": Expected an integer."#),
    ("loose(patch: {})", #"Query.loose: Argument "patch.title" is missing."#),
    ("loose(patch: {title: null})", #"Query.loose: Argument "patch.title": "#),
    ("text(x: 1.5)", #"Query.text: Argument "x": Expected a string."#),
    ("json", #"Query.json: Argument "json": "#), ("items(items: [1, null])", #"Query.items: Argument "items.1": "#),
  ])
  func `a Swift type that does not fit the schema is reported`(field: String, report: String) async {
    let response = await executor.execute("{ \(field) }", context: ())
    #expect(response.contains(#""code":"INTERNAL_SERVER_ERROR""#) && !response.contains("Expected"), "\(response)")
    #expect(reports.list.count == 1 && reports.list[0].hasPrefix(report), "\(reports.list)")
  }

  @Test(arguments: [
    "small(x: 1000)", "json(json: 5)", "object(json: {})", "object(json: {title: null})", "object(json: 5)",
    #"items(items: ["x"])"#,
  ])
  func `a value that the schema allows and the type cannot represent is an error of the client`(field: String) async {
    let response = await executor.execute("{ \(field) }", context: ())
    #expect(response.contains(#""code":"BAD_USER_INPUT""#), "\(response)")
    #expect(reports.list == [])
  }
}
