import GraphQL
import Testing

@testable import Hearth

/// GraphQL over HTTP, section 5.4: 400 for a document that cannot be parsed, 422 for one that is not valid, and for
/// variables that cannot be coerced.
@Suite("Status codes of limits")
struct LimitStatusTests {
  struct Limit: Sendable, CustomTestStringConvertible {
    let code: String
    let status: Int
    let document: String
    let variables: String
    let set: @Sendable (inout RequestLimits) -> Void
    var testDescription: String { code }

    init(
      _ code: String,
      _ status: Int,
      _ document: String,
      _ variables: String = "{}",
      set: @escaping @Sendable (inout RequestLimits) -> Void = { _ in }
    ) {
      (self.code, self.status, self.document, self.variables, self.set) = (code, status, document, variables, set)
    }
  }

  static let limits = [
    Limit("DOCUMENT_TOO_LARGE", 400, "{ __typename } # and a comment") { $0.parsing.documentBytes = 20 },
    Limit("TOO_MANY_TOKENS", 400, "{ __typename __typename }") { $0.parsing.tokens = 3 },
    Limit("NESTING_TOO_DEEP", 400, String(repeating: "{a", count: 65) + String(repeating: "}", count: 65)),
    Limit("OPERATION_TOO_DEEP", 422, "{ family { children { family { id } } } }") { $0.depth = 3 },
    Limit("TOO_MANY_ALIASES", 422, "{ a: __typename b: __typename c: __typename }") {
      $0.validation.limits.aliases = 2
    },
    Limit("TOO_MANY_ROOT_FIELDS", 422, "{ __typename __typename __typename }") { $0.validation.limits.rootFields = 2 },
    Limit("TOO_MANY_DIRECTIVES", 422, "{ __typename @skip(if: false) @include(if: true) }") {
      $0.validation.limits.directives = 1
    },
    Limit("TOO_MANY_FRAGMENT_SPREADS", 422, "{ ...F ...F } fragment F on Query { __typename }") {
      $0.validation.limits.fragmentSpreads = 1
    },
    Limit("VALIDATION_BUDGET_EXCEEDED", 422, "{ node(id: 1) { id } node(id: 1) { id } }") { $0.validation.budget = 1 },
    Limit("INTROSPECTION_TOO_DEEP", 422, #"{ __type(name: \"Query\") { fields { name } } }"#) {
      $0.validation.limits.introspectionLists = 0
    },
    Limit("TOO_MANY_FIELDS", 422, "{ node(id: 1) { id } }") { $0.planning.fields = 5 },
    Limit("COST_EXCEEDED", 422, "{ family { chores(first: 100) { nodes { id } } } }") { $0.cost = 100 },
    Limit("ONE_SLICING_ARGUMENT_REQUIRED", 422, "{ family { items(first: 1, last: 1) { totalCount } } }"),
    Limit("TOO_MANY_VARIABLE_VALUES", 422, "query ($i: [ID!]!) { nodes(ids: $i) { id } }", #"{"i":[1,2,3,4,5]}"#) {
      $0.execution.variableValues = 5
    },
  ]

  @Test(arguments: limits)
  func `are those of the step that has the limit`(limit: Limit) async throws {
    try await TestServer.run(configure: { limit.set(&$0.limits) }) { server in
      let body = #"{"query":"\#(limit.document)","variables":\#(limit.variables)}"#
      for (accept, status) in [("application/json", 200), ("application/graphql-response+json", limit.status)] {
        let answer = try await server.http.post(body, accept: accept)
        #expect(answer.codes.first == limit.code && answer.status == status, "\(answer.status) \(answer.text)")
      }
      let metrics = try PrometheusMetrics(try await server.http.get("/metrics").text)
      #expect(metrics["hearth_graphql_request_duration_seconds_count", ["outcome": "rejected"]] == 2)
    }
  }
}
