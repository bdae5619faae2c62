import CoreMetrics
import GraphQLTransport

/// Passes what the server counts and measures to the factory with which the application has bootstrapped swift-metrics.
final class FactoryMetrics: MetricsReceiver {
  private let counters: [Counter]
  private let timers: [CoreMetrics.Timer]

  /// Nil if the application has bootstrapped none, so that a request costs nothing more.
  init?(_ names: MetricNames) {
    guard !(MetricsSystem.factory is NOOPMetricsHandler) else { return nil }
    counters = names.counters.map { Counter(label: $0) }
    timers = names.outcomes.map { CoreMetrics.Timer(label: names.durations, dimensions: [("outcome", $0)]) }
  }

  func count(_ counter: Int) { counters[counter].increment() }

  func record(_ outcome: Int, nanoseconds: UInt64) { timers[outcome].recordNanoseconds(Int64(clamping: nanoseconds)) }
}
