/// Requests that test edge cases of the specification, for the comparison with graphql-core.
enum OddRequests {
  static let all: [ZooRequest] =
    conditions + numbers + inputs + oneOf + selections + operations

  private static func request(_ document: String, _ variables: String? = nil, named name: String? = nil) -> ZooRequest {
    ZooRequest(document: document, variables: variables, operationName: name)
  }

  private static let conditions = [
    request("{ cat @skip(if: false) @include(if: true) { id } }"),
    request("{ cat @skip(if: true) @include(if: true) { id } }"),
    request("{ cat @skip(if: false) @include(if: false) { id } }"),
    request("query ($a: Boolean!) { cat @skip(if: $a) @include(if: $a) { id } cat { number } }", #"{"a":true}"#),
    request("query ($a: Boolean!) { cat @skip(if: $a) { id } cat @include(if: $a) { number } }", #"{"a":false}"#),
    request("{ cat { id @skip(if: true) } }"),
    request("{ cat @skip(if: true) { id } }"),
    request("{ cat { ...F @skip(if: true) ...F } } fragment F on Cat { id }"),
    request("{ cat { ...F ...F @skip(if: true) } } fragment F on Cat { id }"),
    request("{ cat { ... @include(if: false) { id } ... { number } ... @skip(if: false) { id } } }"),
    request("{ b: __typename cat { number ... on Node { id number } } a: __typename cat { id name } }"),
    request("query ($a: Boolean = true) { cat @include(if: $a) { id } }"),
    request("query ($a: Boolean = true) { cat @include(if: $a) { id } }", #"{"a":false}"#),
    request("query ($a: Boolean! = true) { cat @include(if: $a) { id } }", #"{"a":null}"#),
    request("query ($a: Boolean = true) { cat @include(if: $a) { id } }", #"{"a":null}"#),
    request(
      "query ($a: Boolean = true) { cat { id } ...F @skip(if: $a) } fragment F on Query { cat { id } }",
      #"{"a":null}"#
    ),
    request(
      "query A($a: Boolean) { x: echo(bool: $a) } query B($a: Boolean!) { cat @skip(if: $a) { id } }",
      #"{"a":null}"#,
      named: "A"
    ),
    request(
      "query ($v: [Int!]) { echo(list: $v) }",
      "{\"v\":[" + Array(repeating: "\"x\"", count: 60).joined(separator: ",") + "]}"
    ),
    request("query ($a: Boolean!) { cat @include(if: $a) { id } }"),
    request("query ($a: Boolean!) { cat @include(if: $a) { id } }", #"{"a":"true"}"#),
    request("mutation ($a: Boolean!) { x: add { value } y: add @skip(if: $a) { value } z: total }", #"{"a":true}"#),
  ]

  private static let numbers = [
    request("{ echo(int: -0, float: -0.0, id: -0) }"),
    request("{ echo(int: 1e2) }"),
    request("{ echo(int: 2147483648) }"),
    request("{ echo(int: -2147483648) }"),
    request("{ echo(int: 99999999999999999999999) }"),
    request("{ echo(id: 99999999999999999999999) }"),
    request("{ echo(id: 1.5) }"),
    request("{ echo(id: true) }"),
    request("{ echo(string: 1) }"),
    request("{ echo(bool: 0) }"),
    request("query ($v: ID) { echo(id: $v) }", #"{"v":1}"#),
    request("query ($v: ID) { echo(id: $v) }", #"{"v":1.0}"#),
    request("query ($v: ID) { echo(id: $v) }", #"{"v":1.5}"#),
    request("query ($v: ID) { echo(id: $v) }", #"{"v":true}"#),
    request("query ($v: ID) { echo(id: $v) }", #"{"v":""}"#),
    request("query ($v: Int) { echo(int: $v) }", #"{"v":1.0}"#),
    request("query ($v: Int) { echo(int: $v) }", #"{"v":-2147483649}"#),
    request("query ($v: Int) { echo(int: $v) }", #"{"v":true}"#),
    request("query ($v: Float) { echo(float: $v) }", #"{"v":"1"}"#),
    request("query ($v: Float) { echo(float: $v) }", #"{"v":3}"#),
    request("query ($v: Float) { echo(float: $v) }", #"{"v":true}"#),
    request("query ($v: String) { echo(string: $v) }", #"{"v":3}"#),
    request("query ($v: Boolean) { echo(bool: $v) }", #"{"v":1}"#),
    request("query ($v: Color) { echo(color: $v) }", #"{"v":""}"#),
    request("query ($v: Color) { echo(color: $v) }", #"{"v":"red"}"#),
    request("query ($v: Color) { echo(color: $v) }", #"{"v":{}}"#),
  ]

  private static let inputs = [
    request("query ($v: Int = null) { echo(int: $v) }"),
    request("query ($v: Int! = 3) { echo(int: $v, must: $v) }"),
    request("query ($v: Int! = 3) { echo(must: $v) }", #"{"v":null}"#),
    request("query ($v: Int) { echo(box: {a: 1, d: $v}) }"),
    request("query ($v: Int) { echo(box: {a: 1, d: $v}) }", #"{"v":null}"#),
    request("query ($v: [Box!]) { echo(boxes: $v) }", #"{"v":{"a":1}}"#),
    request("query ($v: [Box!]) { echo(boxes: $v) }", #"{"v":[{"a":1},{"a":"x","q":1},null]}"#),
    request("query ($v: [Int!]) { echo(list: $v) }", #"{"v":null}"#),
    request("query ($v: [Int!]) { echo(list: $v) }", #"{"v":[]}"#),
    request("query ($v: [[Int]]) { echo(grid: $v) }", #"{"v":[[1],2,null,[[3]]]}"#),
    request("{ echo(list: [], grid: [[]], boxes: null) }"),
    request("{ echo(list: [1, null]) }"),
    request("{ echo(box: {a: 1, a: 2}) }"),
    request("{ echo(box: {a: 1, b: null, inner: null}) }"),
    request("{ echo(box: [{a: 1}]) }"),
    request("{ echo(boxes: {a: 1}) }"),
    request("query ($v: Int, $unused: Int) { echo(int: $v) }"),
    request("query ($v: Int) { echo(int: $v) }", #"{"v":1,"other":2}"#),
    request(##"{ echo(string: "\u{1F600} \uD83D\uDE00 \n\t\"") }"##),
    request("{ echo(string: \"\"\"\n    a\n      b\n    c \\\"\"\"\n  \"\"\") }"),
    request("{ nodes(ids: \"cat:1\") { id } }"),
    request("query ($v: [ID!]!) { nodes(ids: $v) { id } }", #"{"v":["cat:1","none",5]}"#),
    request("query ($v: ID!) { nodes(ids: [$v, \"dog:2\"]) { id __typename } }", #"{"v":"cat:1"}"#),
  ]

  private static let oneOf = [
    request("{ pick(by: {}) }"),
    request("{ pick(by: {number: null}) }"),
    request("{ pick(by: {number: 1}) }"),
    request("{ pick(by: {number: 1, name: null}) }"),
    request("query ($v: Int!) { pick(by: {number: $v}) }", #"{"v":4}"#),
    request("query ($v: Pick!) { pick(by: $v) }", #"{"v":{"number":1}}"#),
    request("query ($v: Pick!) { pick(by: $v) }", #"{"v":{"number":1,"name":null}}"#),
    request("query ($v: Pick!) { pick(by: $v) }", #"{"v":{"number":"x"}}"#),
    request("query ($v: Pick!) { pick(by: $v) }", #"{"v":{"number":1,"unknown":2}}"#),
    request("query ($v: Pick!) { pick(by: $v) }", #"{"v":{"unknown":2}}"#),
    request("query ($v: Pick!) { pick(by: $v) }", #"{"v":[]}"#),
    request("query ($v: Pick! = {name: \"d\"}) { pick(by: $v) }"),
  ]

  private static let selections = [
    request(#"{ node(id: "cat:1") { ... on Named { name } ... on Dog { owner { name } } __typename id } }"#),
    request(#"{ node(id: "rock:1") { ... on Named { name } ... on Rock { under { name ... on Cat { big } } } } }"#),
    request("{ things(first: 5) { __typename ... on Node { id } ... on Named { name } } }"),
    request("{ named { name(shout: true) ... on Cat { name(shout: true) id } ... on Dog { id owner { name } } } }"),
    request("{ a: cat(n: 1) { id } a: cat(n: 2) { id } }"),
    request("{ cat { id { x } } }"),
    request("{ cat }"),
    request("{ cat { friends(first: 5) { tag name } pack { id tag } grid numbers colors any } }"),
    request("{ self { self { failing failingHard } } cat { id } }"),
    request("{ self { failing crashing } failing crashing }"),
    request("mutation { add { value } addOrFail(number: -1) { value } total }"),
    request("query ($n: String = \"Cat\") { t: __type(name: $n) { name kind } cat { id } }"),
    request("query ($n: String = \"Cat\") { t: __type(name: $n) { name kind } cat { id } }", #"{"n":null}"#),
    request("query ($n: String = \"Cat\") { self { cat { id } t: __type(name: $n) { name } } }", #"{"n":null}"#),
    request("query ($d: Boolean = true) { __type(name: \"Dog\") { fields(includeDeprecated: $d) { name } } }"),
    request("mutation { __schema { queryType { name } } }"),
    request("mutation { __typename }"),
  ]

  private static let operations = [
    request("query A { cat { id } } query B { dog(n: 1) { id } }"),
    request("query A { cat { id } } query B { dog(n: 1) { id } }", named: "B"),
    request("query A { cat { id } } query B { dog(n: 1) { id } }", named: "C"),
    request("query A { cat { id } } query B { dog(n: 1) { id } }", named: ""),
    request("{ cat { id } }", named: "A"),
    request("query A($v: Int!) { cat(n: $v) { id } } query B { dog(n: 1) { id } }", named: "B"),
    request("fragment F on Cat { id }"),
    request("subscription { cat }"),
    request("query A { cat { id } } mutation A { total }", named: "A"),
  ]
}
