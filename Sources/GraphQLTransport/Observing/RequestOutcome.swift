import Basics

/// How a request ended, as metrics count it.
enum RequestOutcome: Int, CaseIterable {
  /// It was executed without errors.
  case ok
  /// It was executed, and its response contains errors.
  case error
  /// It was not executed, because the request is not valid, the caller may not send it, a limit is reached, or the
  /// client has gone.
  case rejected
  /// It was not executed because of an internal error.
  case failed
}

/// The durations of the requests of one event loop, by outcome.
final class RequestDurations: Sendable {
  private static let bounds = [
    0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
  ]

  // Not an array, of which each request would retain an element.
  private let ok = Histogram(bounds)
  private let error = Histogram(bounds)
  private let rejected = Histogram(bounds)
  private let failed = Histogram(bounds)

  /// Receives the durations too; nil for none.
  private let receiver: (any MetricsReceiver)?

  init(receiver: (any MetricsReceiver)?) { self.receiver = receiver }

  func record(_ outcome: RequestOutcome, nanoseconds: UInt64) {
    switch outcome {
    case .ok: ok.record(nanoseconds: nanoseconds)
    case .error: error.record(nanoseconds: nanoseconds)
    case .rejected: rejected.record(nanoseconds: nanoseconds)
    case .failed: failed.record(nanoseconds: nanoseconds)
    }
    receiver?.record(outcome.rawValue, nanoseconds: nanoseconds)
  }

  func snapshot(of outcome: RequestOutcome) -> Histogram.Snapshot {
    switch outcome {
    case .ok: ok.snapshot
    case .error: error.snapshot
    case .rejected: rejected.snapshot
    case .failed: failed.snapshot
    }
  }
}
