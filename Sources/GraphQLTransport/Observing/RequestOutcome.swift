import Basics

/// How a request ended, as metrics count it.
enum RequestOutcome: Int, CaseIterable {
  /// It was executed without errors.
  case ok
  /// It was executed, and its response contains errors.
  case error
  /// It was not executed, because the request is not valid, the caller may not send it, or a limit is reached.
  case rejected
  /// It was not executed because of an internal error.
  case failed
}

/// The durations of the requests of one event loop, by outcome.
final class RequestDurations: Sendable {
  private static let bounds = [
    0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
  ]

  private let histograms = RequestOutcome.allCases.map { _ in Histogram(RequestDurations.bounds) }

  /// Receives the durations too; nil for none.
  private let receiver: (any MetricsReceiver)?

  init(receiver: (any MetricsReceiver)?) { self.receiver = receiver }

  func record(_ outcome: RequestOutcome, nanoseconds: UInt64) {
    histograms[outcome.rawValue].record(nanoseconds: nanoseconds)
    receiver?.record(outcome.rawValue, nanoseconds: nanoseconds)
  }

  func snapshot(of outcome: RequestOutcome) -> Histogram.Snapshot { histograms[outcome.rawValue].snapshot }
}
