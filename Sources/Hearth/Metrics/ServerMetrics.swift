import Basics
import EventLoop
import Foundation
import GraphQLTransport
import Storage
import Synchronization

/// The metrics of the product, in addition to those of the GraphQL transport. Numbers that are counted in the database
/// are at most a minute old, however often they are requested.
final class ServerMetrics: Sendable {
  private struct Counted: Sendable {
    let counts: DataCounts
    let countedAt: ContinuousClock.Instant
  }

  private static let period = Duration.seconds(60)

  let services: Services
  private let directory: String
  private let version: String
  private let startedAt: Date
  /// Set once the server listens.
  private let connections = Mutex<@Sendable () -> Int>({ 0 })
  /// Set once the server listens.
  private let pushes = Mutex<PushDelivery?>(nil)
  private let probe: LoopDelayProbe
  private let log: RequestLog?
  private let telemetry: TelemetryExporter?
  private let worker: WorkerPool
  private let counted = Mutex<Counted?>(nil)

  init(
    of services: Services,
    in directory: String,
    version: String,
    startedAt: Date,
    probe: LoopDelayProbe,
    log: RequestLog?,
    telemetry: TelemetryExporter?,
    worker: WorkerPool
  ) {
    self.services = services
    self.directory = directory
    self.version = version
    self.startedAt = startedAt
    self.probe = probe
    self.log = log
    self.telemetry = telemetry
    self.worker = worker
  }

  func observe(_ pushes: PushDelivery) { self.pushes.withLock { $0 = pushes } }

  func countConnections(_ count: @escaping @Sendable () -> Int) { connections.withLock { $0 = count } }

  /// Adds the metrics to those of the transport.
  func add(to list: inout MetricList) async {
    let counts = await counts()
    addRequests(to: &list)
    addQueues(counts, to: &list)
    addPostgreSQL(to: &list)
    addPushes(counts, to: &list)
    addData(counts, to: &list)
    addProcess(to: &list)
  }

  /// Nil if they could not be counted.
  private func counts() async -> DataCounts? {
    let now = ContinuousClock.now
    if let known = counted.withLock({ $0 }), now - known.countedAt < Self.period { return known.counts }
    let database = services.database
    let fresh = try? await worker.run {
      let reader = try database.makeCountingReader()
      defer { reader.endRead() }
      return try DataCounts(reader)
    }
    if let fresh { counted.withLock { $0 = Counted(counts: fresh, countedAt: now) } }
    return fresh
  }

  private func addRequests(to list: inout MetricList) {
    list.add("hearth_connections", kind: .gauge, help: "Open connections.", value: connections.withLock { $0 }())
    list.add(
      "hearth_loop_delay_seconds",
      help: "How long new work waits for an event loop, measured once a second.",
      zip(probe.delays.indices, probe.delays).map { (["loop": "\($0)"], $1.snapshot) }
    )
    list.add(
      "hearth_write_commit_duration_seconds",
      help: "The time of a commit, which waiting writes share.",
      [([:], services.database.commitDurations.snapshot)]
    )
    list.add(
      "hearth_reminder_lateness_seconds",
      help: "How long after its time a reminder became due.",
      [([:], services.reminderLateness.snapshot)]
    )
    list.add(
      "hearth_request_log_dropped_total",
      kind: .counter,
      help: "Requests that were not logged, because the log was too slow or failed.",
      value: log?.droppedCount ?? 0
    )
    let responses = services.responseCacheCounts
    list.add(
      "hearth_response_cache_hits_total",
      kind: .counter,
      help: "Queries that were answered with the response to an earlier one.",
      value: responses.hitCount
    )
    list.add(
      "hearth_response_cache_bytes",
      kind: .gauge,
      help: "Responses that are kept to be sent again.",
      value: responses.byteCount
    )
    let spans = telemetry?.counts
    list.add(
      "hearth_trace_spans_total",
      kind: .counter,
      help: "Spans of traces that were exported, or dropped because the collector did not take them.",
      samples: [
        .init(spans?.exported ?? 0, labels: ["outcome": "exported"]),
        .init(spans?.dropped ?? 0, labels: ["outcome": "dropped"]),
      ]
    )
  }

  private func addQueues(_ counts: DataCounts?, to list: inout MetricList) {
    list.add(
      "hearth_queue_length",
      kind: .gauge,
      help: "Work that waits for a thread.",
      samples: [
        .init(services.database.waitingWrites, labels: ["queue": "writes"]),
        .init(services.database.postgreSQLStatistics.waitingReads, labels: ["queue": "reads"]),
        .init(services.slowLane.waitingCount, labels: ["queue": "slow_requests"]),
        .init(services.passwords.waitingCount, labels: ["queue": "passwords"]),
      ]
    )
    guard let counts else { return }
    list.add(
      "hearth_mails",
      kind: .gauge,
      help: "Mails that wait for their turn, are tried again later, or have failed.",
      samples: [
        .init(counts.waitingMails, labels: ["state": "waiting"]),
        .init(counts.retriedMails, labels: ["state": "retrying"]),
        .init(counts.failedMails, labels: ["state": "failed"]),
      ]
    )
  }

  private func addPushes(_ counts: DataCounts?, to list: inout MetricList) {
    guard let channels = pushes.withLock({ $0 })?.channels else { return }
    list.add(
      "hearth_push_attempts_total",
      kind: .counter,
      help: "Attempts to send a notification to a device or to the webhook.",
      samples: channels.flatMap { channel -> [Metric.Sample] in
        let (name, current) = (channel.channel.name, channel.counts)
        return [
          .init(current.sent, labels: ["channel": name, "outcome": "sent"]),
          .init(current.failedAttempts, labels: ["channel": name, "outcome": "failed"]),
          .init(current.expiredDevices, labels: ["channel": name, "outcome": "expired_device"]),
        ]
      }
    )
    list.add(
      "hearth_push_paused",
      kind: .gauge,
      help: "1 if nothing is sent on the channel for some time, because its service is down.",
      samples: channels.map { .init($0.counts.pausedUntil == nil ? 0 : 1, labels: ["channel": $0.channel.name]) }
    )
    guard let counts else { return }
    list.add(
      "hearth_pushes",
      kind: .gauge,
      help: "Notifications that wait to be sent to a device or to the webhook, or have failed.",
      samples: channels.flatMap { channel -> [Metric.Sample] in
        let name = channel.channel.name
        return [
          .init(counts.waitingPushes[channel.channel] ?? 0, labels: ["channel": name, "state": "waiting"]),
          .init(counts.failedPushes[channel.channel] ?? 0, labels: ["channel": name, "state": "failed"]),
        ]
      }
    )
    list.add("hearth_devices", kind: .gauge, help: "Registered devices.", value: counts.devices)
  }

  private func addData(_ counts: DataCounts?, to list: inout MetricList) {
    list.add(
      "hearth_data_bytes",
      kind: .gauge,
      help: "The size of the data.",
      samples: [.init(DataFile.log.byteCount(in: directory), labels: ["part": "log"])]
        + (counts.map { counts in
          [
            .init(counts.databaseBytes, labels: ["part": "database"]),
            .init(counts.pictureBytes, labels: ["part": "pictures"]),
          ]
        } ?? [])
    )
    list.add(
      "hearth_data_free_bytes",
      kind: .gauge,
      help: "Free space on the disk of the data.",
      value: FreeSpace.bytes(in: directory) ?? 0
    )
    list.add(
      "hearth_last_backup_timestamp_seconds",
      kind: .gauge,
      help: "When hearth backup last succeeded; 0 if that is not known.",
      value: LastBackup.date(in: directory).map { Int($0.timeIntervalSince1970) } ?? 0
    )
  }

  private func addProcess(to list: inout MetricList) {
    list.add(
      "hearth_ready",
      kind: .gauge,
      help: "1 if requests can be served.",
      value: services.readiness.reason() == nil ? 1 : 0
    )
    list.add(
      "hearth_read_only",
      kind: .gauge,
      help: "1 if mutations are rejected.",
      value: services.readOnlyMode.isOn ? 1 : 0
    )
    list.add(
      "hearth_build_info",
      kind: .gauge,
      help: "1, with the versions as labels.",
      samples: [.init(1, labels: ["version": version, "sqlite": Database.sqliteVersion])]
    )
    let process = ProcessUsage()
    list.add(
      "process_start_time_seconds",
      kind: .gauge,
      help: "When the server started.",
      samples: [.init(startedAt.timeIntervalSince1970)]
    )
    list.add(
      "process_cpu_seconds_total",
      kind: .counter,
      help: "CPU time of the server.",
      samples: [.init(process.cpuSeconds)]
    )
    list.add(
      "process_resident_memory_bytes",
      kind: .gauge,
      help: "Resident memory of the server.",
      value: process.residentBytes
    )
    list.add("process_open_fds", kind: .gauge, help: "Open file descriptors of the server.", value: process.openFiles)
  }
}
