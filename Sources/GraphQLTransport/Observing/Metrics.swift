import Basics
import Synchronization

/// The counters of requests since the start of the server, for `/metrics`.
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
  /// Of each event loop.
  private let durations = Mutex<[RequestDurations]>([])
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

  /// The durations that a further event loop records.
  func makeDurations() -> RequestDurations {
    let made = RequestDurations()
    durations.withLock { $0.append(made) }
    return made
  }

  func write(to text: inout PrometheusText) {
    for (name, help, count) in [
      ("graphql_requests_total", "Well-formed GraphQL requests.", requests.load(ordering: .relaxed)),
      ("graphql_refusals_total", "Requests that could not be executed.", rejections.load(ordering: .relaxed)),
      ("graphql_failures_total", "Requests that failed with an internal error.", failures.load(ordering: .relaxed)),
    ] {
      text.add(prefix + name, .counter, help, count)
    }
    let loops = durations.withLock { $0 }
    text.add(
      prefix + "graphql_request_duration_seconds",
      help: "The time from receiving a GraphQL request to its response, by outcome.",
      RequestOutcome.allCases.compactMap { outcome in
        let snapshots = loops.map { $0.snapshot(of: outcome) }
        guard let first = snapshots.first else { return nil }
        return (["outcome": "\(outcome)"], snapshots.dropFirst().reduce(first) { $0.adding($1) })
      }
    )
    text.add(prefix + "websockets", .gauge, "Open WebSockets.", live[.webSockets])
    text.add(prefix + "event_streams", .gauge, "Open event streams.", live[.eventStreams])
    text.add(prefix + "subscriptions", .gauge, "Open subscriptions.", live[.subscriptions])
  }
}
