import Synchronization

/// What the server has done since it started, for `/metrics`, in the text format that Prometheus reads.
package final class Metrics: Sendable {
  enum Event {
    /// A well-formed GraphQL request.
    case request
    /// One that could not be executed: its document or variables are wrong.
    case refusal
    /// One that failed on our side.
    case failure
  }

  private let requests = Atomic<Int>(0)
  private let refusals = Atomic<Int>(0)
  private let failures = Atomic<Int>(0)

  package init() {}

  func count(_ event: Event) {
    switch event {
    case .request: requests.add(1, ordering: .relaxed)
    case .refusal: refusals.add(1, ordering: .relaxed)
    case .failure: failures.add(1, ordering: .relaxed)
    }
  }

  var text: String {
    [
      ("hearth_graphql_requests_total", "Well-formed GraphQL requests.", requests.load(ordering: .relaxed)),
      ("hearth_graphql_refusals_total", "Requests that could not be executed.", refusals.load(ordering: .relaxed)),
      ("hearth_graphql_failures_total", "Requests that failed on our side.", failures.load(ordering: .relaxed)),
    ].map { "# HELP \($0) \($1)\n# TYPE \($0) counter\n\($0) \($2)\n" }.joined()
  }
}
