import GraphQLEngine
import Synchronization
import TestSupport
import Testing

@Suite("Responses to an operation, without a server")
struct GraphQLResponsesTests {
  private final class Recorded: Sendable {
    private let texts = Mutex<[String]>([])
    var values: [String] { texts.withLock { $0 } }
    func append(_ text: String) { texts.withLock { $0.append(text) } }
  }

  private let executor: GraphQLExecutor<Zoo.Context>

  init() throws { executor = try GraphQLExecutor(Zoo.schema) }

  private func responses(
    to document: String,
    operationName: String? = nil,
    variables: String = "{}"
  ) async -> [String] {
    let responses = executor.responses(
      to: document,
      operationName: operationName,
      variables: variables,
      context: Zoo.Context()
    )
    var received: [String] = []
    for await response in responses { received.append(response) }
    return received
  }

  @Test func `a subscription has one for each event`() async {
    let counts = await responses(to: "subscription($to: Int!) { count(to: $to) }", variables: #"{"to": 3}"#)
    #expect(counts == (1...3).map { #"{"data":{"count":\#($0)}}"# })
    let cats = await responses(to: "subscription A { cats { name slow } } query B { grid }", operationName: "A")
    #expect(cats == ["Mog", "Tom"].map { #"{"data":{"cats":{"name":"\#($0)","slow":"\#($0)"}}}"# })
  }

  @Test func `a query has one`() async {
    #expect(await responses(to: "{ grid }") == [#"{"data":{"grid":[[1,2],[]]}}"#])
  }

  @Test(arguments: [
    ("subscription { failing }", "CLOSED"), ("subscription { no }", "GRAPHQL_VALIDATION_FAILED"),
    ("subscription { count }", "GRAPHQL_VALIDATION_FAILED"), ("{", "GRAPHQL_PARSE_FAILED"),
  ])
  func `errors of a request are the only one`(document: String, code: String) async throws {
    let found = await responses(to: document)
    #expect(
      found.count == 1 && found[0].hasPrefix(#"{"errors":"#) && found[0].contains(#""code":"\#(code)""#),
      "\(found)"
    )
  }

  @Test func `an error of the events is the last one`() async throws {
    struct Broken: Error {}
    var schema = GraphQLSchema<Void>("type Query { a: Int } type Subscription { numbers: Int }")
    schema.query("a") { _ in 1 }
    schema.subscription("numbers") { _ in
      AsyncThrowingStream<Int, any Error> { continuation in
        continuation.yield(1)
        continuation.finish(throwing: Broken())
      }
    }
    let reported = Recorded()
    let executor = try GraphQLExecutor(schema) { error, field in reported.append("\(type(of: error)) \(field)") }
    var received: [String] = []
    for await response in executor.responses(to: "subscription { numbers }", context: ()) { received.append(response) }
    #expect(received.count == 2 && received[0] == #"{"data":{"numbers":1}}"#)
    #expect(received.last?.contains(#""code":"INTERNAL_SERVER_ERROR""#) == true)
    #expect(reported.values == ["Broken Subscription.numbers"])
  }

  @Test func `events are read one by one, until the reader stops or is cancelled`() async throws {
    let ended = [Gate(), Gate()]
    let begun = Recorded()
    var schema = GraphQLSchema<Int>("type Query { a: Int } type Subscription { never: Int }")
    schema.query("a") { _ in 1 }
    schema.subscription("never") { request in
      AsyncStream<Int> { continuation in
        begun.append("\(request.context)")
        continuation.onTermination = { _ in ended[request.context].open() }
        continuation.yield(1)
      }
    }
    let executor = try GraphQLExecutor(schema)
    let first = executor.responses(to: "subscription { never }", context: 0)
    #expect(begun.values == [])
    for await response in first {
      #expect(response == #"{"data":{"never":1}}"#)
      break
    }
    await ended[0].pass()
    let received = Gate()
    let reader = Task {
      var count = 0
      for await _ in executor.responses(to: "subscription { never }", context: 1) {
        count += 1
        received.open()
      }
      return count
    }
    await received.pass()
    reader.cancel()
    await ended[1].pass()
    #expect(await reader.value == 1)
    #expect(begun.values == ["0", "1"])
  }
}
