import Basics
import CFileStatus
import EventLoop
import Foundation
import Glibc
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

  private let services: Services
  private let directory: String
  private let version: String
  /// Set once the server listens.
  private let connections = Mutex<@Sendable () -> Int>({ 0 })
  /// Set once the server listens.
  private let pushes = Mutex<PushDelivery?>(nil)
  private let probe: LoopDelayProbe
  private let log: RequestLog?
  private let worker: WorkerPool
  private let counted = Mutex<Counted?>(nil)

  init(
    of services: Services,
    in directory: String,
    version: String,
    probe: LoopDelayProbe,
    log: RequestLog?,
    worker: WorkerPool
  ) {
    self.services = services
    self.directory = directory
    self.version = version
    self.probe = probe
    self.log = log
    self.worker = worker
  }

  func observe(_ pushes: PushDelivery) { self.pushes.withLock { $0 = pushes } }

  func countConnections(_ count: @escaping @Sendable () -> Int) { connections.withLock { $0 = count } }

  func text() async -> String {
    let counts = await counts()
    var text = PrometheusText()
    addRequests(to: &text)
    addQueues(counts, to: &text)
    addPushes(counts, to: &text)
    addData(counts, to: &text)
    addProcess(to: &text)
    return text.text
  }

  /// Nil if they could not be counted.
  private func counts() async -> DataCounts? {
    let now = ContinuousClock.now
    if let known = counted.withLock({ $0 }), now - known.countedAt < Self.period { return known.counts }
    let database = services.database
    let fresh = try? await worker.run {
      let reader = try database.makeReader()
      defer { reader.endRead() }
      return try DataCounts(reader)
    }
    if let fresh { counted.withLock { $0 = Counted(counts: fresh, countedAt: now) } }
    return fresh
  }

  private func addRequests(to text: inout PrometheusText) {
    text.add("hearth_connections", .gauge, "Open connections.", connections.withLock { $0 }())
    text.add(
      "hearth_loop_delay_seconds",
      help: "How long new work waits for an event loop, measured once a second.",
      zip(probe.delays.indices, probe.delays).map { (["loop": "\($0)"], $1.snapshot) }
    )
    text.add(
      "hearth_write_commit_duration_seconds",
      help: "The time of a commit, which waiting writes share.",
      [([:], services.database.commitDurations.snapshot)]
    )
    text.add(
      "hearth_reminder_lateness_seconds",
      help: "How long after its time a reminder became due.",
      [([:], services.reminderLateness.snapshot)]
    )
    text.add(
      "hearth_request_log_dropped_total",
      .counter,
      "Requests that were not logged, because the log was too slow.",
      log?.droppedCount ?? 0
    )
  }

  private func addQueues(_ counts: DataCounts?, to text: inout PrometheusText) {
    text.add(
      "hearth_queue_length",
      .gauge,
      "Work that waits for a thread.",
      [
        .init(services.database.waitingWrites, ["queue": "writes"]),
        .init(services.slowLane.waitingCount, ["queue": "slow_requests"]),
        .init(services.passwords.waitingCount, ["queue": "passwords"]),
      ]
    )
    guard let counts else { return }
    text.add(
      "hearth_mails",
      .gauge,
      "Mails that wait for their turn, are tried again later, or have failed.",
      [
        .init(counts.waitingMails, ["state": "waiting"]), .init(counts.retriedMails, ["state": "retrying"]),
        .init(counts.failedMails, ["state": "failed"]),
      ]
    )
  }

  private func addPushes(_ counts: DataCounts?, to text: inout PrometheusText) {
    guard let channels = pushes.withLock({ $0 })?.channels else { return }
    text.add(
      "hearth_push_attempts_total",
      .counter,
      "Attempts to send a notification to a device or to the webhook.",
      channels.flatMap { channel -> [PrometheusText.Sample] in
        let (name, current) = (channel.channel.name, channel.counts)
        return [
          .init(current.sent, ["channel": name, "outcome": "sent"]),
          .init(current.failedAttempts, ["channel": name, "outcome": "failed"]),
          .init(current.expiredDevices, ["channel": name, "outcome": "expired_device"]),
        ]
      }
    )
    text.add(
      "hearth_push_paused",
      .gauge,
      "1 if nothing is sent on the channel for some time, because its service is down.",
      channels.map { .init($0.counts.pausedUntil == nil ? 0 : 1, ["channel": $0.channel.name]) }
    )
    guard let counts else { return }
    text.add(
      "hearth_pushes",
      .gauge,
      "Notifications that wait to be sent to a device or to the webhook, or have failed.",
      channels.flatMap { channel -> [PrometheusText.Sample] in
        let name = channel.channel.name
        return [
          .init(counts.waitingPushes[channel.channel] ?? 0, ["channel": name, "state": "waiting"]),
          .init(counts.failedPushes[channel.channel] ?? 0, ["channel": name, "state": "failed"]),
        ]
      }
    )
    text.add("hearth_devices", .gauge, "Registered devices.", counts.devices)
  }

  private func addData(_ counts: DataCounts?, to text: inout PrometheusText) {
    let database = DataDirectory.databasePath(in: directory)
    text.add(
      "hearth_data_bytes",
      .gauge,
      "The size of the data.",
      [
        .init(DataFiles.bytes(of: database), ["part": "database"]),
        .init(DataFiles.bytes(of: database + "-wal"), ["part": "log"]),
      ] + (counts.map { [.init($0.pictureBytes, ["part": "pictures"])] } ?? [])
    )
    text.add(
      "hearth_data_free_bytes",
      .gauge,
      "Free space on the disk of the data.",
      DataFiles.freeBytes(in: directory)
    )
    text.add(
      "hearth_last_backup_timestamp_seconds",
      .gauge,
      "When hearth backup last succeeded; 0 if that is not known.",
      LastBackup.date(in: directory).map { Int($0.timeIntervalSince1970) } ?? 0
    )
  }

  private func addProcess(to text: inout PrometheusText) {
    text.add("hearth_ready", .gauge, "1 if requests can be served.", services.readiness.reason() == nil ? 1 : 0)
    text.add("hearth_read_only", .gauge, "1 if mutations are rejected.", services.readOnlyMode.isOn ? 1 : 0)
    text.add(
      "hearth_build_info",
      .gauge,
      "1, with the versions as labels.",
      [.init(1, ["version": version, "sqlite": Database.sqliteVersion])]
    )
    let process = ProcessUsage()
    text.add(
      "process_start_time_seconds",
      .gauge,
      "When the server started.",
      [.init(startedAt.timeIntervalSince1970)]
    )
    text.add("process_cpu_seconds_total", .counter, "CPU time of the server.", [.init(process.cpuSeconds)])
    text.add("process_resident_memory_bytes", .gauge, "Resident memory of the server.", process.residentBytes)
    text.add("process_open_fds", .gauge, "Open file descriptors of the server.", process.openFiles)
  }

  let startedAt = Date()
}

/// What the process uses of the machine.
struct ProcessUsage {
  let cpuSeconds: Double
  let residentBytes: Int
  let openFiles: Int

  init() {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    let (user, system) = (usage.ru_utime, usage.ru_stime)
    cpuSeconds = Double(user.tv_sec + system.tv_sec) + Double(user.tv_usec + system.tv_usec) / 1_000_000
    // The second number is that of resident pages (proc(5)).
    let pages = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ")
    residentBytes = (pages.flatMap { $0.count > 1 ? Int($0[1]) : nil } ?? 0) * Int(sysconf(Int32(_SC_PAGESIZE)))
    openFiles = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0
  }
}
