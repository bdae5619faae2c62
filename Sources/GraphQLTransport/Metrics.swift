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

  private let prefix: String

  /// - Parameter prefix: What the names of the figures begin with, in lower case; empty for nothing.
  package init(prefix: String = "") { self.prefix = prefix.isEmpty ? "" : prefix + "_" }

  func count(_ event: Event) {
    switch event {
    case .request: requests.add(1, ordering: .relaxed)
    case .refusal: refusals.add(1, ordering: .relaxed)
    case .failure: failures.add(1, ordering: .relaxed)
    }
  }

  var text: String {
    [
      ("graphql_requests_total", "Well-formed GraphQL requests.", requests.load(ordering: .relaxed)),
      ("graphql_refusals_total", "Requests that could not be executed.", refusals.load(ordering: .relaxed)),
      ("graphql_failures_total", "Requests that failed on our side.", failures.load(ordering: .relaxed)),
    ].map { name, help, count in
      let name = prefix + name
      return "# HELP \(name) \(help)\n# TYPE \(name) counter\n\(name) \(count)\n"
    }.joined()
  }
}
