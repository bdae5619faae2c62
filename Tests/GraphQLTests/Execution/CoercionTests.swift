import Basics
import Testing

@testable import GraphQL

/// Specification, sections 6.1.2 and 6.4.1: the coerced arguments and variables.
@Suite("Coercion of arguments and variables")
struct CoercionTests {
  /// `echo` returns its arguments, without absent ones.
  static let arguments: [AnswerCase] = [
    AnswerCase("absent arguments have their defaults, or are absent", "{ echo }", "{color:GREEN,must:7,string:d}"),
    AnswerCase(
      "null is not absent",
      "{ echo(string: null, color: null, int: null) }",
      "{color:null,int:null,must:7,string:null}"
    ),
    AnswerCase(
      "an argument whose variable is not provided is absent",
      "query($s: String, $i: Int!, $n: Int) { echo(string: $s, must: $i, int: $n) }",
      #"{"i":1}"#,
      "{color:GREEN,must:1,string:d}"
    ),
    AnswerCase(
      "a variable can be null",
      "query($s: String) { echo(string: $s) }",
      #"{"s":null}"#,
      "{color:GREEN,must:7,string:null}"
    ),
    AnswerCase(
      "the default value of a variable takes precedence",
      #"query($s: String = "v") { echo(string: $s) }"#,
      "{color:GREEN,must:7,string:v}"
    ),
    AnswerCase(
      "a single value is coerced to a list",
      "{ echo(list: 1, grid: 2) }",
      "{color:GREEN,grid:[[2]],list:[1],must:7,string:d}"
    ),
    AnswerCase(
      "a single value is coerced to a list of lists",
      "{ echo(grid: [[1, null], null, 3]) }",
      "{color:GREEN,grid:[[1,null],null,[3]],must:7,string:d}"
    ),
    AnswerCase(
      "a single value of a variable is coerced to a list",
      "query($l: [Int!], $g: [[Int]]) { echo(list: $l, grid: $g) }",
      #"{"l":1,"g":[1,[2]]}"#,
      "{color:GREEN,grid:[[1],[2]],list:[1],must:7,string:d}"
    ),
    AnswerCase(
      "variables within lists and objects",
      "query($a: Int!, $c: Color) { echo(list: [1, $a], box: {a: $a, c: $c}) }",
      #"{"a":5}"#,
      "{box:{a:5,b:[x],d:3},color:GREEN,list:[1,5],must:7,string:d}"
    ),
    AnswerCase(
      "an absent variable in a list is null",
      "query($i: Int) { echo(grid: [[1, $i]]) }",
      "{color:GREEN,grid:[[1,null]],must:7,string:d}"
    ),
    AnswerCase(
      "input objects in arguments have default values at every depth",
      "{ echo(box: {a: 1, inner: {a: 2, b: null}}) }",
      "{box:{a:1,b:[x],d:3,inner:{a:2,b:null,d:3}},color:GREEN,must:7,string:d}"
    ),
    AnswerCase(
      "input objects in variables have default values at every depth",
      "query($b: Box) { echo(box: $b) }",
      #"{"b":{"a":1,"c":"RED"}}"#,
      "{box:{a:1,b:[x],c:RED,d:3},color:GREEN,must:7,string:d}"
    ),
    AnswerCase(
      "an Int is coerced to a Float, and a number to an ID",
      "{ echo(float: 3, id: 12) }",
      "{color:GREEN,float:3,id:12,must:7,string:d}"
    ),
    AnswerCase(
      "a Float can be the lowest number of 64 bits",
      "{ echo(float: -9223372036854775808) }",
      "{color:GREEN,float:-9.223372036854776e+18,must:7,string:d}"
    ),
    AnswerCase(
      "an ID can be a number of any length",
      "{ echo(id: 123456789012345678901234567890) }",
      "{color:GREEN,id:123456789012345678901234567890,must:7,string:d}"
    ),
    AnswerCase(
      "whole numbers in variables are Ints in every notation",
      "query($i: Int, $d: ID) { echo(int: $i, id: $d) }",
      #"{"i":1e2,"d":7}"#,
      "{color:GREEN,id:7,int:100,must:7,string:d}"
    ),
    AnswerCase(
      "an ID in a variable can be a number of any length",
      "query($i: ID) { echo(id: $i) }",
      #"{"i":18446744073709551617}"#,
      "{color:GREEN,id:18446744073709551617,must:7,string:d}"
    ),
    AnswerCase(
      "an ID in a variable has all digits of a number that no Float has",
      "query($i: ID) { echo(id: $i) }",
      "{\"i\":-1\(String(repeating: "0", count: 400))7}",
      "{color:GREEN,id:-1\(String(repeating: "0", count: 400))7,must:7,string:d}"
    ),
    AnswerCase(
      "an ID in a variable is a whole number in every notation that is exact",
      "query($i: ID) { echo(id: $i) }",
      #"{"i":9007199254740.991e3}"#,
      "{color:GREEN,id:9007199254740991,must:7,string:d}"
    ),
    AnswerCase(
      "strings in variables for String and ID, in any order",
      "query($s: String, $d: ID!) { echo(string: $s, id: $d) }",
      #"{"d":"a\u0062","other":1,"s":"x"}"#,
      "{color:GREEN,id:ab,must:7,string:x}"
    ),
    AnswerCase(
      "a string and no value",
      "query($s: String, $d: ID) { echo(string: $s, id: $d) }",
      #"{"s":"x"}"#,
      "{color:GREEN,must:7,string:x}"
    ),
    AnswerCase(
      "a string and a default value",
      #"query($s: String, $d: ID = "e") { echo(string: $s, id: $d) }"#,
      #"{"s":"x"}"#,
      "{color:GREEN,id:e,must:7,string:x}"
    ),
    AnswerCase(
      "the bounds of Int",
      "{ echo(list: [2147483647, -2147483648]) }",
      "{color:GREEN,list:[2147483647,-2147483648],must:7,string:d}"
    ),
  ]

  /// The letter as one scalar, and as two: Swift's strings are equal, and the values of clients are not.
  @Test(arguments: ["{", "query($i: Int) { cat { id } x: echo(int: $i)"])
  func `fields whose arguments look the same do not share a call`(start: String) async throws {
    let (one, two) = ("\u{E9}", "e\u{301}")
    let given = start == "{" ? "" : ", int: $i"
    let document = #"\#(start) a: echo(string: "\#(one)"\#(given)) b: echo(string: "\#(two)"\#(given)) }"#
    let json = try await ZooServer().answer(document)
    let expected =
      #""a":"{color:GREEN,must:7,string:\#(one)}","b":"{color:GREEN,must:7,string:\#(two)}"}}"#
    #expect(Array(json.utf8.suffix(expected.utf8.count)) == Array(expected.utf8))
  }

  @Test func `variables whose values look the same differ`() {
    let values = ["\u{E9}", "e\u{301}"].map { text in
      [
        InputValue.string(text), .list([.string(text)]), .object([InputField(name: "a", value: .string(text))]),
        .object([InputField(name: text, value: .null)]),
      ].map { VariableValues(names: ["v"], values: [$0]) }
    }
    for (one, other) in zip(values[0], values[1]) { #expect(one != other) }
    #expect(Set(values.joined()).count == 8)
  }

  @Test(arguments: arguments)
  func `arguments are coerced as specified`(_ given: AnswerCase) async throws {
    #expect(
      try await ZooServer().answer(given.document, given.variables) == "{\"data\":{\"echo\":\"\(given.answer)\"}}"
    )
  }

  /// The messages of request errors, or of field errors if the request was executed.
  static let faults: [AnswerCase] = [
    AnswerCase(
      "a required variable",
      "query($i: Int!) { echo(must: $i) }",
      #"Variable "$i" of required type "Int!" was not provided."#
    ),
    AnswerCase(
      "a non-null variable",
      "query($i: Int!) { echo(must: $i) }",
      #"{"i":null}"#,
      #"Variable "$i" of non-null type "Int!" must not be null."#
    ),
    AnswerCase(
      "not an Int",
      "query($i: Int) { echo(int: $i) }",
      #"{"i":"1"}"#,
      #"Variable "$i" got invalid value "1"; Int cannot represent non-integer value: "1""#
    ),
    AnswerCase(
      "a fraction",
      "query($i: Int) { echo(int: $i) }",
      #"{"i":1.5}"#,
      #"Variable "$i" got invalid value 1.5; Int cannot represent non-integer value: 1.5"#
    ),
    AnswerCase(
      "beyond 32 bits",
      "query($i: Int) { echo(int: $i) }",
      #"{"i":2147483648}"#,
      #"Variable "$i" got invalid value 2147483648; Int cannot represent non 32-bit signed integer value: 2147483648"#
    ),
    AnswerCase(
      "beyond 64 bits",
      "query($i: Int) { echo(int: $i) }",
      #"{"i":-18446744073709551617}"#,
      #"Variable "$i" got invalid value -18446744073709551617; Int cannot represent non 32-bit signed integer value: -18446744073709551617"#
    ),
    AnswerCase(
      "an Int beyond all numbers",
      "query($i: Int) { echo(int: $i) }",
      #"{"i":1e400}"#,
      #"Variable "$i" got invalid value 1e400; Int cannot represent non 32-bit signed integer value: 1e400"#
    ),
    AnswerCase(
      "a Float beyond all numbers",
      "query($i: Float) { echo(float: $i) }",
      #"{"i":-1e400}"#,
      #"Variable "$i" got invalid value -1e400; Float cannot represent non numeric value: -1e400"#
    ),
    AnswerCase(
      "an ID beyond all numbers",
      "query($i: ID) { echo(id: $i) }",
      #"{"i":1e400}"#,
      #"Variable "$i" got invalid value 1e400; ID cannot represent value: 1e400"#
    ),
    AnswerCase(
      "an ID that a Float has not exactly",
      "query($i: ID) { echo(id: $i) }",
      #"{"i":9007199254740993.0}"#,
      #"Variable "$i" got invalid value 9007199254740993.0; ID cannot represent value: 9007199254740993.0"#
    ),
    AnswerCase(
      "not a Boolean",
      "query($i: Boolean) { echo(bool: $i) }",
      #"{"i":1}"#,
      #"Variable "$i" got invalid value 1; Boolean cannot represent a non boolean value: 1"#
    ),
    AnswerCase(
      "not a String",
      "query($i: String) { echo(string: $i) }",
      #"{"i":[1]}"#,
      #"Variable "$i" got invalid value [1]; String cannot represent a non string value: [1]"#
    ),
    AnswerCase(
      "not a value of the enum",
      "query($i: Color) { echo(color: $i) }",
      #"{"i":"PUCE"}"#,
      #"Variable "$i" got invalid value "PUCE"; Value "PUCE" does not exist in "Color" enum."#
    ),
    AnswerCase(
      "similar to a value of the enum",
      "query($i: Color) { echo(color: $i) }",
      #"{"i":"GREN"}"#,
      #"Variable "$i" got invalid value "GREN"; Value "GREN" does not exist in "Color" enum. Did you mean the enum value "GREEN" or "RED"?"#
    ),
    AnswerCase(
      "not the name of a value",
      "query($i: Color) { echo(color: $i) }",
      #"{"i":1}"#,
      #"Variable "$i" got invalid value 1; Enum "Color" cannot represent non-string value: 1."#
    ),
    AnswerCase(
      "null in a list",
      "query($i: [Int!]) { echo(list: $i) }",
      #"{"i":[1,null]}"#,
      #"Variable "$i" got invalid value null at "i[1]"; Expected non-nullable type "Int!" not to be null."#
    ),
    AnswerCase(
      "nested in an object, each error once",
      "query($i: Box) { echo(box: $i) }",
      #"{"i":{"a":"x","inner":{"b":[1],"e":2}}}"#,
      #"""
      Variable "$i" got invalid value "x" at "i.a"; Int cannot represent non-integer value: "x"
      Variable "$i" got invalid value { b: [1], e: 2 } at "i.inner"; Field "a" of required type "Int!" was not provided.
      Variable "$i" got invalid value 1 at "i.inner.b[0]"; String cannot represent a non string value: 1
      Variable "$i" got invalid value { b: [1], e: 2 } at "i.inner"; Field "e" is not defined by type "Box". Did you mean "a", "b", "c", or "d"?
      """#
    ),
    AnswerCase(
      "not an object",
      "query($i: Box) { echo(box: $i) }",
      #"{"i":3}"#,
      #"Variable "$i" got invalid value 3; Expected type "Box" to be an object."#
    ),
    AnswerCase(
      "a @oneOf input object with two fields",
      "query($i: Pick!) { pick(by: $i) }",
      #"{"i":{"number":1,"name":"a"}}"#,
      #"Variable "$i" got invalid value { number: 1, name: "a" }; Exactly one key must be specified for OneOf type "Pick"."#
    ),
    AnswerCase(
      "a @oneOf input object without fields",
      "query($i: Pick!) { pick(by: $i) }",
      #"{"i":{}}"#,
      #"Variable "$i" got invalid value {}; Exactly one key must be specified for OneOf type "Pick"."#
    ),
    AnswerCase(
      "a @oneOf input object with a null field",
      "query($i: Pick!) { pick(by: $i) }",
      #"{"i":{"name":null}}"#,
      #"Variable "$i" got invalid value null at "i.name"; Field "name" must be non-null."#
    ),
    AnswerCase(
      "a @oneOf input object with a variable that is not provided",
      "query($n: String) { pick(by: {name: $n}) }",
      #"Argument "by" has invalid value {name: $n}. OneOf Input Object "Pick" must specify exactly one key, and it must be non-null."#
    ),
    AnswerCase(
      "a @oneOf input object with a variable that is null in place of its default value",
      #"query($n: String = "a") { pick(by: {name: $n}) }"#,
      #"{"n":null}"#,
      #"Argument "by" has invalid value {name: $n}. OneOf Input Object "Pick" must specify exactly one key, and it must be non-null."#
    ),
    AnswerCase(
      "null in a nullable variable for an argument with a default value",
      "query($i: Int) { self { echo(must: $i) } }",
      #"{"i":null}"#,
      #"Argument "must" of non-null type "Int!" must not be null."#
    ),
    AnswerCase(
      "a nullable variable in a list of non-nulls",
      "query($i: Int = 1) { echo(list: [$i]) }",
      #"{"i":null}"#,
      #"Argument "list" has invalid value [$i]. Expected value of non-null type "Int!" not to be null."#
    ),
    AnswerCase(
      "a variable of an unknown type",
      "query($i: Whatever) { __typename }",
      #"Variable "$i" has a type that is not an input type of this schema."#
    ),
    AnswerCase(
      "a default value of the wrong type",
      #"query($i: Int = "a") { echo(int: $i) }"#,
      #"Int cannot represent non-integer value: "a""#
    ),
  ]

  @Test(arguments: faults)
  func `errors are reported in full`(_ given: AnswerCase) async throws {
    let json = try await ZooServer().answer(given.document, given.variables)
    #expect(try messages(json).joined(separator: "\n") == given.answer)
  }

  @Test func `a variable with a default value can be the field of a @oneOf input object`() async throws {
    var server = try ZooServer()
    server.preparation.validation = ValidationOptions()
    let document = #"query($n: String = "a") { pick(by: {name: $n}) }"#
    #expect(await server.answer(document) == #"{"data":{"pick":"{name:a}"}}"#)
    #expect(await server.answer(document, #"{"n":"b"}"#) == #"{"data":{"pick":"{name:b}"}}"#)
    #expect(try messages(await server.answer(document, #"{"n":null}"#)).count == 1)
  }

  /// Messages disclose nothing that requires introspection.
  @Test func `names are suggested only if introspection is allowed`() async throws {
    let schema = try Zoo.executable().schema
    let color = try #require(schema.type(named: "Color"))
    let definition = VariableDefinition(
      name: "i",
      type: TypeReference(type: color),
      defaultValue: nil,
      location: SourceLocation(line: 1, column: 1)
    )
    let variables = VariableDefinitions([definition], in: schema)
    let given = try givenVariables(#"{"i":"GREN"}"#)
    for suggests in [true, false] {
      let error = #expect(throws: GraphQLErrors.self) {
        try VariableCoercion.coerce(given, to: variables, in: schema, suggests: suggests)
      }
      #expect(error?.errors.map { $0.message.contains("GREEN") } == [suggests])
    }
  }

  @Test func `the number of errors for a list of invalid values is limited`() async throws {
    let list = "[" + Array(repeating: "\"x\"", count: 10_000).joined(separator: ",") + "]"
    let json = try await ZooServer().answer("query($l: [Int!]) { echo(list: $l) }", "{\"l\":\(list)}")
    #expect(try messages(json).count == 51)
    #expect(
      try messages(json).last
        == "Too many errors processing variables, error limit reached. Execution aborted."
    )
    #expect(try codes(json) == Array(repeating: "BAD_USER_INPUT", count: 50) + ["ERRORS_OMITTED"])
  }

  /// A request error, before execution. graphql-js finds it during execution, when it reaches the directive, and the
  /// result is then null.
  @Test func `null as the condition of a directive is an error at every location`() async throws {
    let json = try await ZooServer().answer(
      "query ($a: Boolean = true) { cat { id name @include(if: $a) } }",
      #"{"a":null}"#
    )
    #expect(
      json
        == #"{"errors":[{"message":"Argument \"if\" of non-null type \"Boolean!\" must not be null.","locations":[{"line":1,"column":57}],"extensions":{"code":"BAD_USER_INPUT"}}]}"#
    )
  }

  @Test func `finding thousands of variables among a hundred thousand does not take quadratic time`() throws {
    let schema = try Zoo.executable().schema
    let type = TypeReference(type: try #require(schema.type(named: "Int")))
    let location = SourceLocation(line: 1, column: 1)
    let definitions = (0..<2000).map {
      VariableDefinition(name: "v\($0)", type: type, defaultValue: nil, location: location)
    }
    let others = (0..<50_000).map { "k\($0)" }
    let members = others.map { "\"\($0)\":null" } + definitions.map { "\"\($0.name)\":7" }
    let given = try givenVariables("{\(members.joined(separator: ","))}")
    let variables = VariableDefinitions(definitions, in: schema)
    var start = ThreadClock.nanoseconds
    let values = try VariableCoercion.coerce(given, to: variables, in: schema)
    let coercing = ThreadClock.nanoseconds - start
    #expect(values["v0"]?.int == 7 && values["v1999"]?.int == 7 && values["k0"] == nil)
    var known: Set<String> = []
    start = ThreadClock.nanoseconds
    for name in others { known.insert(name) }
    let hashing = ThreadClock.nanoseconds - start
    #expect(coercing < hashing * 20, "\(coercing), \(hashing)")
  }

  @Test func `the error of an argument is located at its value, for each selection that shares the call`() async throws
  {
    let json = try await ZooServer().answer(
      "query($i: Int) { cat { a: friends(first: $i) { number } } x: echo(must: $i) y: echo(must: $i) }",
      #"{"i":null}"#
    )
    #expect(
      json
        == #"{"data":null,"errors":[{"message":"Argument \"must\" of non-null type \"Int!\" must not be null.","locations":[{"line":1,"column":73}],"path":["x"],"extensions":{"code":"BAD_USER_INPUT"}}]}"#
    )
    let both = try await ZooServer().answer(
      "query($i: Int) { self { x: cat(n: $i) { id } y: cat(n: $i) { id } } }",
      #"{"i":null}"#
    )
    #expect(try locations(both) == [[1, 35], [1, 56]])
  }
}
