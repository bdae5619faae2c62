import Synchronization

/// The counters of requests since the start of the server, for `/metrics`, in the text format of Prometheus.
package final class Metrics: Sendable {
  enum Event {
    /// A well-formed GraphQL request.
    case request
    /// A request that could not be executed because its document or variables are invalid.
    case rejection
    /// A request that failed with an internal error.
    case failure
  }

  private let requests = Atomic<Int>(0)
  private let rejections = Atomic<Int>(0)
  private let failures = Atomic<Int>(0)

  /// What is open at the moment.
  package let live = LiveCounts()

  private let prefix: String

  /// - Parameter prefix: The prefix of the metrics' names, in lower case; empty for none.
  package init(prefix: String = "") { self.prefix = prefix.isEmpty ? "" : prefix + "_" }

  func count(_ event: Event) {
    switch event {
    case .request: requests.add(1, ordering: .relaxed)
    case .rejection: rejections.add(1, ordering: .relaxed)
    case .failure: failures.add(1, ordering: .relaxed)
    }
  }

  var text: String {
    [
      ("graphql_requests_total", "Well-formed GraphQL requests.", requests.load(ordering: .relaxed)),
      ("graphql_refusals_total", "Requests that could not be executed.", rejections.load(ordering: .relaxed)),
      ("graphql_failures_total", "Requests that failed with an internal error.", failures.load(ordering: .relaxed)),
    ].map { name, help, count in
      let name = prefix + name
      return "# HELP \(name) \(help)\n# TYPE \(name) counter\n\(name) \(count)\n"
    }.joined()
  }
}
