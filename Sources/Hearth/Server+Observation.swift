import EventLoop
import Foundation
import GraphQLTransport
import HTTPServer
import Logging

extension Server {
  /// What observes a server: the log of its requests, its metrics, and the export of both.
  struct Observation: Sendable {
    /// Nil if requests are not logged. Written from `runUntilSignal` on.
    let requestLog: RequestLog?
    /// Nil if nothing is exported.
    let telemetry: TelemetryExporter?
    let metrics: Metrics
    let serverMetrics: ServerMetrics
    /// Reads data for the metrics and for the commands of operators.
    let worker: WorkerPool
    let startedAt: Date
    private let probe: LoopDelayProbe

    init(
      _ options: ServerOptions,
      of services: Services,
      on loops: [EventLoop],
      since startedAt: Date,
      log: Logger
    ) throws {
      let configuration = options.configuration
      self.startedAt = startedAt
      requestLog = configuration.requestLog.isOn ? RequestLog(configuration.requestLog) : nil
      telemetry = try TelemetryExporter(configuration.telemetry, version: HearthVersion.current, log: log)
      metrics = services.metrics
      probe = LoopDelayProbe(loops)
      worker = try WorkerPool(threads: 1, queueLimit: 16, priority: .nice(5))
      serverMetrics = ServerMetrics(
        of: services,
        in: options.dataDirectory,
        version: HearthVersion.current,
        startedAt: startedAt,
        probe: probe,
        log: requestLog,
        telemetry: telemetry,
        worker: worker
      )
    }

    /// Measures the listening server and exports its metrics, until the returned tasks are cancelled.
    ///
    /// - Parameter milliseconds: the time between two exports.
    func start(
      _ server: HTTPServer<GraphQLHandler<HearthService>>,
      pushes: PushDelivery,
      exportingEvery milliseconds: Int
    ) -> [Task<Void, Never>] {
      // Weak, because the server's handlers own the metrics.
      serverMetrics.countConnections { [weak server] in server?.connectionCount ?? 0 }
      serverMetrics.observe(pushes)
      let probing = probe.start()
      let export = telemetry.map { telemetry in
        telemetry.exportMetrics(every: milliseconds) { [metrics, serverMetrics] list in
          metrics.add(to: &list)
          await serverMetrics.add(to: &list)
        }
      }
      return [probing, export].compactMap(\.self)
    }
  }
}
