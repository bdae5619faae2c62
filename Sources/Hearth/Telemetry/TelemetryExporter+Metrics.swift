import GraphQLTransport

extension TelemetryExporter {
  /// Exports metrics again and again, until the returned task is cancelled.
  ///
  /// - Parameter collect: Adds the metrics of the server to an empty list.
  func exportMetrics(
    every milliseconds: Int,
    collect: @escaping @Sendable (inout MetricList) async -> Void
  ) -> Task<Void, Never> {
    let start = SystemClockOffset.nanosecondsSinceEpoch
    return Task {
      while true {
        do { try await Task.sleep(for: .milliseconds(milliseconds)) } catch { return }
        var list = MetricList()
        await collect(&list)
        let now = SystemClockOffset.nanosecondsSinceEpoch
        send(metrics: OTLPMetrics.message(list, of: resource, since: start, at: now))
      }
    }
  }
}
