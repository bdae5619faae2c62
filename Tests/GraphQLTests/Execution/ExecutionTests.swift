import Bytes
import Testing

@testable import GraphQL

/// A request and the complete response.
struct AnswerCase: CustomTestStringConvertible, Sendable {
  let name: String
  let document: String
  var variables: String?
  let answer: String
  var testDescription: String { name }

  init(_ name: String, _ document: String, _ answer: String) {
    self.init(name, document, nil, answer)
  }

  init(_ name: String, _ document: String, _ variables: String?, _ answer: String) {
    self.name = name
    self.document = document
    self.variables = variables
    self.answer = answer
  }
}

@Suite("Execution")
struct ExecutionTests {
  /// A hundred pieces of a document or a response.
  static func keys(separator: String = " ", _ piece: (Int) -> String) -> String {
    (0..<100).map(piece).joined(separator: separator)
  }

  static let cases: [AnswerCase] = [
    // Section 6.3.2, fields and their order.
    AnswerCase(
      "keys are in the order in which they first occur",
      "{ b: cat { number } a: __typename b: cat { id } }",
      #"{"data":{"b":{"number":1,"id":"cat:1"},"a":"Query"}}"#
    ),
    AnswerCase(
      "fields of a fragment are at the position of its spread",
      "{ cat { ...F id ... on Node { __typename } } } fragment F on Cat { number id }",
      #"{"data":{"cat":{"number":1,"id":"cat:1","__typename":"Cat"}}}"#
    ),
    AnswerCase(
      "selections of the same key are merged at every depth",
      "{ cat { next { id } } ...F } fragment F on Query { cat { next { number } } }",
      #"{"data":{"cat":{"next":{"id":"cat:2","number":2}}}}"#
    ),
    AnswerCase(
      "a fragment that spreads itself on the same object adds nothing",
      "{ cat { ...F } } fragment F on Cat { id ...F }",
      #"{"data":{"cat":{"id":"cat:1"}}}"#
    ),
    AnswerCase(
      "a fragment of another type adds nothing",
      "{ cat { ... on Dog { owner { id } } id } }",
      #"{"data":{"cat":{"id":"cat:1"}}}"#
    ),
    AnswerCase(
      "an object without selected fields is empty",
      "{ cat { id @skip(if: true) } }",
      #"{"data":{"cat":{}}}"#
    ),
    AnswerCase(
      "a hundred keys are merged",
      "{ cat { ...F ...F2 } } fragment F on Cat { \(keys { "k\($0): next { id }" }) }"
        + " fragment F2 on Cat { \(keys { "k\(99 - $0): next { number }" }) }",
      #"{"data":{"cat":{\#(keys(separator: ",") { #""k\#($0)":{"id":"cat:2","number":2}"# })}}}"#
    ),
    AnswerCase("everything may be left out", "{ cat @include(if: false) { id } }", #"{"data":{}}"#),
    AnswerCase(
      "a mutation without included fields is empty",
      "mutation { add @skip(if: true) { value } }",
      #"{"data":{}}"#
    ),
    AnswerCase("skip wins over include", "{ __typename @skip(if: true) @include(if: true) }", #"{"data":{}}"#),
    AnswerCase(
      "fragments are skipped as a whole",
      "query($t: Boolean!) { ... @skip(if: $t) { a: __typename } ...F @include(if: $t) } fragment F on Query { b: __typename }",
      #"{"t":true}"#,
      #"{"data":{"b":"Query"}}"#
    ),

    // Section 6.4.3, abstract types and lists.
    AnswerCase(
      "the type name of an object is that of its object type",
      "{ named { __typename number ... on Dog { owner { number } } } }",
      #"{"data":{"named":[{"__typename":"Cat","number":0},{"__typename":"Dog","number":1,"owner":{"number":3}},{"__typename":"Cat","number":2}]}}"#
    ),
    AnswerCase(
      "unions",
      "{ things { __typename ... on Node { id } ... on Rock { color } } }",
      #"{"data":{"things":[{"__typename":"Cat","id":"cat:0"},{"__typename":"Dog","id":"dog:1"},{"__typename":"Rock","id":"rock:2","color":"BLUE"}]}}"#
    ),
    AnswerCase(
      "objects of which nothing is selected are empty, whatever their types",
      #"""
      { nodes(ids: ["cat:1", "dog:1", "cat:1", "rock:1", "dog:2", "rock:3"]) { ... on Rock { id } } a: things { ... on Cat { id } }
      b: things { ... on Dog { next { id } } } }
      """#,
      #"{"data":{"nodes":[{},{},{},{"id":"rock:1"},{},{"id":"rock:3"}],"a":[{"id":"cat:0"},{},{}],"b":[{},{"next":{"id":"dog:3"}},{}]}}"#
    ),
    AnswerCase(
      "an object that does not exist is null, also in a list",
      #"{ node(id: "dog:77") { id } nodes(ids: ["what", "dog:2", "rock:99"]) { id } }"#,
      #"{"data":{"node":null,"nodes":[null,{"id":"dog:2"},null]}}"#
    ),
    AnswerCase(
      "lists in lists",
      "{ a: cat(n: 4) { pack { id } } b: cat(n: 8) { pack { id } } c: cat(n: 1) { pack { number } } }",
      #"{"data":{"a":{"pack":[[{"id":"dog:4"},{"id":"dog:0"}],[],[{"id":"dog:1"}]]},"b":{"pack":null},"c":{"pack":[[{"number":1},{"number":0}],null,[{"number":1}]]}}}"#
    ),
    AnswerCase(
      "leaves in lists in lists",
      "{ cat(n: 2) { grid numbers words colors any } }",
      #"{"data":{"cat":{"grid":[[2,1],null,[4]],"numbers":null,"words":["w\\",null],"colors":["RED","BLUE"],"any":"2"}},"errors":[{"message":"Cannot return null for non-nullable field Cat.numbers.","locations":[{"line":1,"column":20}],"path":["cat","numbers",1],"extensions":{"code":"INTERNAL_SERVER_ERROR"}}]}"#
    ),
    AnswerCase("text is escaped", "{ cat(n: 1) { tag } }", #"{"data":{"cat":{"tag":"tag \"1\"\n"}}}"#),
    AnswerCase(
      "objects that are Swift values",
      "{ cat(n: 1) { summary { count text parts { count parts { count } } owner { id } } } }",
      #"{"data":{"cat":{"summary":{"count":1,"text":"summary 1","parts":[{"count":1,"parts":[{"count":1}]},{"count":2,"parts":[{"count":2}]}],"owner":{"id":"cat:1"}}}}}"#
    ),
    AnswerCase(
      "an object can reference itself",
      "{ self { self { __typename cat { id } } cat { id } } }",
      #"{"data":{"self":{"self":{"__typename":"Query","cat":{"id":"cat:1"}},"cat":{"id":"cat:1"}}}}"#
    ),

    // Section 6.4.4, errors.
    AnswerCase(
      "a nullable field that fails is null",
      "{ failing __typename }",
      #"{"data":{"failing":null,"__typename":"Query"},"errors":[{"message":"It fails.","locations":[{"line":1,"column":3}],"path":["failing"],"extensions":{"code":"BAD_USER_INPUT"}}]}"#
    ),
    AnswerCase(
      "null propagates to the nearest nullable parent",
      "{ cat(n: 5) { id tag } }",
      #"{"data":{"cat":null},"errors":[{"message":"No tag for 5.","locations":[{"line":1,"column":18}],"path":["cat","tag"],"extensions":{"code":"NO_TAG"}}]}"#
    ),
    AnswerCase(
      "null propagates to the data",
      "{ __typename failingHard }",
      #"{"data":null,"errors":[{"message":"It fails hard.","locations":[{"line":1,"column":14}],"path":["failingHard"],"extensions":{"code":"BAD_USER_INPUT"}}]}"#
    ),
    AnswerCase(
      "null propagates through lists of non-null items",
      "{ named { id friends { tag } } }",
      #"{"data":{"named":null},"errors":[{"message":"Cannot return null for non-nullable field Dog.tag.","locations":[{"line":1,"column":24}],"path":["named",1,"friends",1,"tag"],"extensions":{"code":"INTERNAL_SERVER_ERROR"}}]}"#
    ),
    AnswerCase(
      "errors are in the order of the response, one for each path",
      "{ failing a: cat(n: 5) { slow tag } b: cat(n: 9) { next { tag lonely { id } } friends { id } } }",
      #"{"data":{"failing":null,"a":null,"b":null},"errors":[{"message":"It fails.","locations":[{"line":1,"column":3}],"path":["failing"],"extensions":{"code":"BAD_USER_INPUT"}},{"message":"Too slow: 5.","locations":[{"line":1,"column":26}],"path":["a","slow"],"extensions":{"code":"BAD_USER_INPUT"}},{"message":"No tag for 5.","locations":[{"line":1,"column":31}],"path":["a","tag"],"extensions":{"code":"NO_TAG"}},{"message":"No tag for 10.","locations":[{"line":1,"column":59}],"path":["b","next","tag"],"extensions":{"code":"NO_TAG"}},{"message":"Cat 9 has no friends.","locations":[{"line":1,"column":79}],"path":["b","friends"],"extensions":{"code":"NO_FRIENDS"}}]}"#
    ),
    AnswerCase(
      "an error has the locations of all nodes of the field",
      "{ failing ...F } fragment F on Query { failing }",
      #"{"data":{"failing":null},"errors":[{"message":"It fails.","locations":[{"line":1,"column":3},{"line":1,"column":40}],"path":["failing"],"extensions":{"code":"BAD_USER_INPUT"}}]}"#
    ),
    AnswerCase(
      "the path has response keys",
      "{ mine: cat(n: 5) { label: tag } }",
      #"{"data":{"mine":null},"errors":[{"message":"No tag for 5.","locations":[{"line":1,"column":21}],"path":["mine","label"],"extensions":{"code":"NO_TAG"}}]}"#
    ),
    AnswerCase(
      "a number beyond 32 bits is not an Int",
      "{ cat(n: 22) { number big } }",
      #"{"data":{"cat":{"number":22,"big":null}},"errors":[{"message":"Int cannot represent the value that was found.","locations":[{"line":1,"column":23}],"path":["cat","big"],"extensions":{"code":"INTERNAL_SERVER_ERROR"}}]}"#
    ),
    AnswerCase(
      "a stored number without an enum value",
      "{ cat(n: 3) { color } }",
      #"{"data":{"cat":{"color":null}},"errors":[{"message":"Color cannot represent the value that was found.","locations":[{"line":1,"column":15}],"path":["cat","color"],"extensions":{"code":"INTERNAL_SERVER_ERROR"}}]}"#
    ),
    AnswerCase(
      "the cause of an internal error is not sent",
      "{ crashing }",
      #"{"data":{"crashing":null},"errors":[{"message":"Something went wrong on our side.","locations":[{"line":1,"column":3}],"path":["crashing"],"extensions":{"code":"INTERNAL_SERVER_ERROR"}}]}"#
    ),

    // Section 6.2.2, mutations.
    AnswerCase(
      "root fields of a mutation run serially and show their own results",
      "mutation { a: add(number: 2) { value } total b: add(number: 3) { value history } c: add { history } }",
      #"{"data":{"a":{"value":2},"total":2,"b":{"value":5,"history":[2,3]},"c":{"history":[2,3,1]}}}"#
    ),
    AnswerCase(
      "equal root fields of a mutation are each executed",
      "mutation { a: add { value } b: add { value } }",
      #"{"data":{"a":{"value":1},"b":{"value":2}}}"#
    ),
    AnswerCase(
      "a nullable root field that is null does not stop the mutation",
      "mutation { a: add(number: -1) { value } b: add { value } }",
      #"{"data":{"a":null,"b":{"value":0}}}"#
    ),
    AnswerCase(
      "a non-null root field that fails stops the mutation",
      "mutation { a: add { value } addOrFail(number: -1) { value } b: add { value } }",
      #"{"data":null,"errors":[{"message":"Too low.","locations":[{"line":1,"column":29}],"path":["addOrFail"],"extensions":{"code":"BAD_USER_INPUT"}}]}"#
    ),

    // Section 6.1, selecting the operation.
    AnswerCase(
      "several operations and no name",
      "query A { __typename } query B { __typename }",
      #"{"errors":[{"message":"Must provide operation name if query contains multiple operations.","extensions":{"code":"OPERATION_RESOLUTION_FAILURE"}}]}"#
    ),
    AnswerCase(
      "no operation",
      "fragment F on Cat { id }",
      #"{"errors":[{"message":"Must provide an operation.","extensions":{"code":"OPERATION_RESOLUTION_FAILURE"}}]}"#
    ),
    AnswerCase(
      "a schema without subscriptions",
      "subscription { id }",
      #"{"errors":[{"message":"Schema is not configured to execute subscription operation.","locations":[{"line":1,"column":1}],"extensions":{"code":"GRAPHQL_VALIDATION_FAILED"}}]}"#
    ),
  ]

  @Test(arguments: cases)
  func `responds as specified`(_ given: AnswerCase) async throws {
    let answer = try await ZooServer().answer(given.document, given.variables)
    #expect(answer == given.answer)
  }

  @Test func `the operation is selected by name`() async throws {
    let server = try ZooServer()
    let document = "query A { a: __typename } mutation B { total }"
    let named = { await server.answer(ZooRequest(document: document, operationName: $0)).json }
    #expect(await named("A") == #"{"data":{"a":"Query"}}"#)
    #expect(await named("B") == #"{"data":{"total":0}}"#)
    #expect(
      await named("C")
        == #"{"errors":[{"message":"Unknown operation named \"C\".","extensions":{"code":"OPERATION_RESOLUTION_FAILURE"}}]}"#
    )
  }

  @Test func `no operation of a document is executed if the schema lacks the root type of one`() async throws {
    var server = try ZooServer()
    server.preparation.validation = ValidationOptions()
    let document = "query A { cat { id } } subscription B { cat { id } }"
    let answer = await server.answer(ZooRequest(document: document, operationName: "A"))
    #expect(
      answer.json
        == #"{"errors":[{"message":"The subscription operation is not supported by the schema.","locations":[{"line":1,"column":24}],"extensions":{"code":"GRAPHQL_VALIDATION_FAILED"}}]}"#
    )
  }

  @Test func `a failing root field of a mutation prevents the next ones`() async throws {
    let answer = try await ZooServer().answer(
      ZooRequest(document: "mutation { a: add { value } addOrFail(number: -1) { value } b: add { value } }")
    )
    #expect(answer.context.history == [1])
  }

  @Test func `an internal error is logged with the coordinate of its field`() async throws {
    let answer = try await ZooServer().answer(ZooRequest(document: "{ crashing cat(n: 3) { color mother { tag } } }"))
    #expect(
      answer.context.reports == ["Query.crashing: a secret", "Cat.color: Color cannot represent value: 3"]
    )
    #expect(!answer.json.contains("secret"))
  }

  @Test func `every combination of condition values has its own plan, also beyond the stored ones`() async throws {
    let server = try ZooServer()
    let names = (0..<6).map { "$c\($0): Boolean!" }.joined(separator: ", ")
    let fields = (0..<6).map { "f\($0): __typename @\($0 < 3 ? "include" : "skip")(if: $c\($0))" }.joined(
      separator: " "
    )
    let operation = try server.preparation.prepare(Array("query(\(names)) { \(fields) }".utf8), operationName: nil)
    for round in 0..<128 {
      let truths = (0..<6).map { (round >> $0) & 1 == 1 }
      let variables = VariableValues(names: (0..<6).map { "c\($0)" }, values: truths.map { .boolean($0) })
      let response = await server.executor.execute(
        operation,
        variables: variables,
        context: ZooContext(server.executable.schema)
      )
      let expected = truths.indices.filter { $0 < 3 ? truths[$0] : !truths[$0] }.map { "\"f\($0)\":\"Query\"" }
      #expect(String(decoding: response.array(), as: UTF8.self) == "{\"data\":{\(expected.joined(separator: ","))}}")
    }
  }

  @Test func `an executor keeps no data of a request`() async throws {
    let server = try ZooServer()
    let first = await server.answer("{ named { number friends { id } } cat(n: 5) { slow } }")
    _ = await server.answer("{ cat(n: 3) { id next { number color } } }")
    #expect(await server.answer("{ named { number friends { id } } cat(n: 5) { slow } }") == first)
  }
}
