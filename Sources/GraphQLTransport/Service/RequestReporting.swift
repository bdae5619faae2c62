import EventLoop

/// The part of a service that describes its requests to operators and developers: in the request log and the slow log,
/// in the measurements that callers ask for, and in the metrics. An application with a database implements all of it;
/// the defaults know only the client's address.
package protocol RequestReporting: CallerIdentification {
  /// The time in milliseconds since 1970.
  var now: Int64 { get }

  /// The client of a request, for the request log.
  func client(of context: Context) -> RequestRecord.Client

  /// The same for a caller who was not identified.
  func client(at address: String?) -> RequestRecord.Client

  /// The steps of the execution with their times, for the slow log. Called after `finish`.
  func steps(of context: Context) -> [RequestRecord.Step]

  /// Whether the caller may see the times and the statements of their own requests. The default is false.
  func allowsMeasurement(_ context: Context) -> Bool

  /// The positions of the events that the writes of the request have stored, as subscribers receive them. Known only
  /// where measurements are allowed.
  func positionsOfEvents(of context: Context) -> [String]

  /// Adds the metrics of the application to those of the transport.
  func addMetrics(to list: inout MetricList) async
}

extension RequestReporting {
  package var now: Int64 { EventLoop.secondsSinceEpoch * 1000 }
  package func client(of context: Context) -> RequestRecord.Client { .unknown }
  package func client(at address: String?) -> RequestRecord.Client { address.map { .network($0) } ?? .unknown }
  package func steps(of context: Context) -> [RequestRecord.Step] { [] }
  package func allowsMeasurement(_ context: Context) -> Bool { false }
  package func positionsOfEvents(of context: Context) -> [String] { [] }
  package func addMetrics(to list: inout MetricList) async {}
}
