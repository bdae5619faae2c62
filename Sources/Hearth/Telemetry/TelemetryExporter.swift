import Basics
import Bytes
import Foundation
import GraphQLTransport
import HTTP
import Logging
import Synchronization

/// Sends traces and metrics to a collector, by OTLP over HTTP in Protocol Buffers. A thread of its own encodes and
/// sends them.
///
/// What does not fit the queue is dropped and counted, so that neither requests nor memory depend on the collector.
final class TelemetryExporter: RequestTracing {
  private struct State: Sendable {
    var traces: [RequestTrace] = []
    /// Only the newest metrics wait.
    var metrics: [UInt8]?
    var isEnding = false
    var hasEnded = false
  }

  private struct Work {
    var traces: [RequestTrace] = []
    var metrics: [UInt8]?
    var isLast = false
  }

  /// The maximum number of traces in a request.
  private static let batchSize = 256
  private static let maximumAttempts = 5
  private static let longestRetry = 30_000
  /// How long the end waits for the collector.
  private static let shutdownTimeout = Duration.seconds(3)

  private let settings: TelemetrySettings
  private let tracesURL: WebURL
  private let metricsURL: WebURL
  let resource: OTLPResource
  private let sampler: TraceSampler
  private let log: Logger
  private let state = Monitor(State())
  private let connections = WebConnections()
  private let thread = Mutex<SystemThread?>(nil)
  private let exported = Atomic<Int>(0)
  private let dropped = Atomic<Int>(0)
  /// Whether the last request failed, so that an outage is logged once.
  private let isFailing = Atomic<Bool>(false)

  /// Nil without an endpoint.
  init?(_ settings: TelemetrySettings, version: String, log: Logger) throws(SystemThread.StartError) {
    guard let endpoint = settings.endpoint, let traces = endpoint.appending(path: "v1/traces"),
      let metrics = endpoint.appending(path: "v1/metrics")
    else { return nil }
    self.settings = settings
    (tracesURL, metricsURL) = (traces, metrics)
    resource = OTLPResource(service: "hearth", version: version, instance: UUID().uuidString.lowercased())
    sampler = TraceSampler(ratio: settings.ratio)
    self.log = log
    let started = try SystemThread(name: "telemetry") { [self] in run() }
    thread.withLock { $0 = started }
  }

  /// The numbers of spans that the collector has accepted, and of those that it never will.
  var counts: (exported: Int, dropped: Int) {
    (exported.load(ordering: .relaxed), dropped.load(ordering: .relaxed))
  }

  // MARK: On the event loops

  func begin(_ request: HTTPRequest?, route: String) -> RequestTrace? { sampler.begin(request, route: route) }

  func end(_ trace: RequestTrace) {
    let isKept = state.withLock { state, waitingThreads in
      guard state.traces.count < settings.queueLimit, !state.isEnding else { return false }
      state.traces.append(trace)
      // The thread wakes by itself for fewer, since waking it costs more than a trace.
      if state.traces.count == Self.batchSize, waitingThreads > 0 { self.state.signal() }
      return true
    }
    if !isKept { drop(CollectionOfOne(trace)) }
  }

  /// Queues metrics instead of those that wait.
  func send(metrics: [UInt8]) {
    state.withLock { state, _ in state.metrics = metrics }
    state.signal()
  }

  /// Returns when everything has been sent, or cannot be within a few seconds.
  func stop() {
    state.withLock { state, _ in state.isEnding = true }
    state.broadcast()
    let hasEnded = state.wait(atMost: Self.shutdownTimeout) { $0.hasEnded ? true : nil }
    // Cancels the request that the collector does not answer.
    if hasEnded == nil { connections.stop() }
    thread.withLock { thread in
      thread?.join()
      thread = nil
    }
  }

  // MARK: On the thread

  private func run() {
    var message = ByteBuffer(capacity: 4_096)
    var encoder = OTLPTraces(of: resource)
    while true {
      let work = nextWork()
      if let metrics = work.metrics { _ = send(metrics, to: metricsURL) }
      var rest = work.traces[...]
      while !rest.isEmpty {
        let batch = rest.prefix(Self.batchSize)
        rest = rest.dropFirst(batch.count)
        message.removeAll()
        encoder.write(batch, into: &message)
        if send(message.array(), to: tracesURL) {
          exported.add(Self.spanCount(batch), ordering: .relaxed)
        } else {
          drop(batch)
        }
      }
      if work.isLast { break }
    }
    state.withLock { state, _ in state.hasEnded = true }
    state.broadcast()
  }

  private func nextWork() -> Work {
    let take = { (state: inout State) in
      defer { (state.traces, state.metrics) = ([], nil) }
      return Work(traces: state.traces, metrics: state.metrics, isLast: state.isEnding)
    }
    let work = state.wait(atMost: .milliseconds(settings.batchInterval)) { state in
      state.isEnding || state.metrics != nil || state.traces.count >= Self.batchSize ? take(&state) : nil
    }
    return work ?? state.withLock { state, _ in take(&state) }
  }

  /// Returns whether the collector has accepted the message.
  private func send(_ body: [UInt8], to url: WebURL) -> Bool {
    let request = WebRequest(
      url: url,
      headers: ["content-type: application/x-protobuf"] + settings.headers.lines,
      body: body,
      timeout: settings.timeout
    )
    var delay = settings.firstRetry
    for attempt in 1...Self.maximumAttempts {
      let failure: String
      var wait = delay
      do throws(WebFailure) {
        let response = try request.perform(on: connections)
        if (200...299).contains(response.status) {
          noteSuccess()
          return true
        }
        failure = "The collector answered \(response.status)."
        // The statuses that the protocol names: everything else would fail again.
        guard [429, 502, 503, 504].contains(response.status) else {
          note(failure)
          return false
        }
        wait = max(delay, min(Int(response.retryAfter ?? 0), Self.longestRetry))
      } catch {
        failure = "The collector could not be reached: \(error.description)"
      }
      note(failure)
      if attempt == Self.maximumAttempts { return false }
      if state.wait(atMost: .milliseconds(wait), for: { $0.isEnding ? true : nil }) == true { return false }
      delay = min(2 * delay, Self.longestRetry)
    }
    return false
  }

  private func note(_ failure: String) {
    guard !isFailing.exchange(true, ordering: .relaxed) else { return }
    log.warning("Traces and metrics cannot be exported.", metadata: ["error": "\(failure)"])
  }

  private func noteSuccess() {
    guard isFailing.exchange(false, ordering: .relaxed) else { return }
    log.notice("Traces and metrics are exported again.")
  }

  private func drop(_ traces: some Collection<RequestTrace>) {
    dropped.add(Self.spanCount(traces), ordering: .relaxed)
  }

  private static func spanCount(_ traces: some Collection<RequestTrace>) -> Int {
    traces.reduce(0) { $0 + $1.steps.count + 1 }
  }
}
