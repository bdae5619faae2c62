import Basics
import Synchronization

/// The counters of requests since the start of the server, for `/metrics`.
package final class Metrics: Sendable {
  enum Event: Int, CaseIterable {
    /// A well-formed GraphQL request.
    case request
    /// A request that was not executed, because it is not valid, the caller may not send it, or a limit is reached:
    /// `RequestOutcome.rejected`.
    case rejection
    /// A request that failed with an internal error, or of which a field did.
    case failure

    var name: String {
      switch self {
      case .request: "graphql_requests_total"
      case .rejection: "graphql_refusals_total"
      case .failure: "graphql_failures_total"
      }
    }

    /// What the counter counts, for the scraper.
    var help: String {
      switch self {
      case .request: "Well-formed GraphQL requests."
      case .rejection: "Requests that were not executed: invalid, not allowed, or beyond a limit."
      case .failure: "Requests that failed with an internal error, as a whole or in a field."
      }
    }
  }

  private static let durationName = "graphql_request_duration_seconds"

  private let requests = Atomic<Int>(0)
  private let rejections = Atomic<Int>(0)
  private let failures = Atomic<Int>(0)
  /// The durations of the requests of each event loop.
  private let durations = Mutex<[RequestDurations]>([])
  /// What is open at the moment.
  package let live = LiveCounts()

  private let prefix: String
  /// Receives what is counted and measured too; nil for none.
  private let receiver: (any MetricsReceiver)?

  /// - Parameter prefix: The prefix of the metrics' names, in lower case; empty for none.
  /// - Parameter receiver: Makes the system that receives what is counted and measured too, or returns nil.
  package init(prefix: String = "", receiver: (MetricNames) -> (any MetricsReceiver)? = { _ in nil }) {
    let prefix = prefix.isEmpty ? "" : prefix + "_"
    self.prefix = prefix
    self.receiver = receiver(
      MetricNames(
        counters: Event.allCases.map { prefix + $0.name },
        durations: prefix + Self.durationName,
        outcomes: RequestOutcome.allCases.map { "\($0)" }
      )
    )
  }

  func count(_ event: Event) {
    switch event {
    case .request: requests.add(1, ordering: .relaxed)
    case .rejection: rejections.add(1, ordering: .relaxed)
    case .failure: failures.add(1, ordering: .relaxed)
    }
    receiver?.count(event.rawValue)
  }

  /// Counts a request, or an event of a subscription, of which a field failed with an internal error.
  package func countFailureOfField() { count(.failure) }

  /// The durations that a further event loop records.
  func makeDurations() -> RequestDurations {
    let made = RequestDurations(receiver: receiver)
    durations.withLock { $0.append(made) }
    return made
  }

  package func add(to list: inout MetricList) {
    for (event, count) in [
      (Event.request, requests.load(ordering: .relaxed)),
      (.rejection, rejections.load(ordering: .relaxed)),
      (.failure, failures.load(ordering: .relaxed)),
    ] {
      list.add(prefix + event.name, kind: .counter, help: event.help, value: count)
    }
    let loops = durations.withLock { $0 }
    list.add(
      prefix + Self.durationName,
      help: "The time from receiving a GraphQL request to its response, by outcome.",
      RequestOutcome.allCases.compactMap { outcome in
        let snapshots = loops.map { $0.snapshot(of: outcome) }
        guard let first = snapshots.first else { return nil }
        return (["outcome": "\(outcome)"], snapshots.dropFirst().reduce(first) { $0.adding($1) })
      }
    )
    list.add(prefix + "websockets", kind: .gauge, help: "Open WebSockets.", value: live[.webSockets])
    list.add(prefix + "event_streams", kind: .gauge, help: "Open event streams.", value: live[.eventStreams])
    list.add(prefix + "subscriptions", kind: .gauge, help: "Open subscriptions.", value: live[.subscriptions])
  }
}

/// A metrics system that receives what a server counts and measures, beside `/metrics`. Implementations are classes, as
/// those of `RequestTracing`.
package protocol MetricsReceiver: AnyObject, Sendable {
  /// - Parameter counter: the index of its name in `MetricNames.counters`.
  func count(_ counter: Int)

  /// Receives the duration of a request.
  ///
  /// - Parameter outcome: the index of its name in `MetricNames.outcomes`.
  func record(_ outcome: Int, nanoseconds: UInt64)
}

/// The names of what a `MetricsReceiver` receives.
package struct MetricNames: Sendable {
  package let counters: [String]
  /// The name of the durations of requests.
  package let durations: String
  /// The outcomes of requests, by which their durations are labelled.
  package let outcomes: [String]
}
