import Foundation
import Glibc
import Logging
import Storage
import Synchronization

/// Says once a second that this process uses the PostgreSQL database, renews its leases, and compares the clocks.
///
/// Everything takes one statement, so that an idle process asks little of the database. The statement also finds out
/// whether the database server answers, without waiting for a request.
final class Heartbeat: Sendable {
  private struct State {
    var pulse: ProcessTable.Pulse?
    var beatAt: ContinuousClock.Instant?
    /// How far this clock is ahead of the database's, in milliseconds, as far as the answer's delay allows to tell.
    var clockDifference: Int64 = 0
    var isClockReported = false
    /// Whether the clock differs so much that the process serves no requests and does no shared work.
    var hasWrongClock: Bool { abs(clockDifference) > Heartbeat.greatestDifference }
    var task: Task<Void, Never>?
  }

  private static let interval = Duration.seconds(1)
  /// Without an answer for so long the database counts as unreachable.
  private static let answerTimeout = Duration.seconds(5)
  /// Milliseconds by which the clocks may differ before operators are warned, and before the process is not ready.
  private static let tolerance: Int64 = 1_000
  private static let greatestDifference: Int64 = 30_000

  private let table: ProcessTable
  private let member: ProcessTable.Member
  private let leases: Leases
  private let clock: Clock
  private let log: Logger
  private let state = Mutex(State())

  init(_ table: ProcessTable, version: String, schemaVersion: Int, leases: Leases, clock: Clock, log: Logger) {
    self.table = table
    self.leases = leases
    self.clock = clock
    self.log = log
    member = ProcessTable.Member(
      id: Int64.random(in: 1 ... .max),
      version: version,
      schemaVersion: schemaVersion,
      host: ProcessInfo.processInfo.hostName,
      number: Int64(getpid())
    )
  }

  /// Beats for the first time, so that the process has its leases, and goes on until `stop`.
  func start() async {
    let works = leases.works
    let beat = ProcessTable.Beat(returning: works.flatMap(\.dueTimes))
    let names = works.map(\.name)
    await self.beat(beat, wanting: names)
    let task = Task { [self] in
      var next = ContinuousClock.now + Self.interval
      while true {
        do { try await Task.sleep(until: next, clock: .continuous) } catch { return }
        await self.beat(beat, wanting: names)
        next = max(next + Self.interval, ContinuousClock.now)
      }
    }
    state.withLock { $0.task = task }
  }

  /// Ends the leases, so that other processes get them within a second.
  func stop() async {
    await abandon()
    try? await table.remove(member.id)
  }

  /// Stops without telling other processes, as when the process is killed.
  func abandon() async {
    let task = state.withLock { $0.task }
    task?.cancel()
    await task?.value
    leases.end()
  }

  private func beat(_ beat: ProcessTable.Beat, wanting names: [String]) async {
    let (start, time) = (ContinuousClock.now, clock.now())
    let wanted = state.withLock { $0.hasWrongClock } ? [] : names
    // `Readiness` reports failures.
    guard let pulse = try? await table.beat(of: member, leases: wanted, beat) else { return }
    let (end, timeAfter) = (ContinuousClock.now, clock.now())
    state.withLock { state in
      state.pulse = pulse
      state.beatAt = end
    }
    if clock.isOfSystem { compareClocks(pulse.time, from: time, to: timeAfter) }
    // Shared work at wrong times would change the data of all.
    let leased = state.withLock { $0.hasWrongClock } ? [] : pulse.leases
    leases.renew(leased, until: start + .milliseconds(ProcessTable.leaseLength), pulse.values)
  }

  /// - Parameters:
  ///   - time: of the database, at some moment between the other two.
  private func compareClocks(_ time: Int64, from earliest: Int64, to latest: Int64) {
    let difference = time < earliest ? earliest - time : min(latest - time, 0)
    let isOff = abs(difference) > Self.tolerance
    let isReported = state.withLock { state in
      defer { state.isClockReported = isOff }
      state.clockDifference = difference
      return state.isClockReported
    }
    guard isOff != isReported else { return }
    guard isOff else { return log.notice("The clock agrees with that of the database server again.") }
    log.warning(
      "The clock differs from that of the database server: synchronize both, as by NTP.",
      metadata: ["milliseconds": "\(difference)"]
    )
  }

  /// How far the clock is ahead of the database's, in milliseconds.
  var clockDifference: Int64 { state.withLock { $0.clockDifference } }

  /// The number of processes that use the database.
  var processCount: Int { state.withLock { $0.pulse?.processes ?? 1 } }

  /// This process among `entries`.
  var id: Int64 { member.id }

  /// The processes that use the database.
  func entries() async throws -> [ProcessTable.Entry] { try await table.entries() }

  /// Why the process cannot serve requests; nil if it can.
  var reason: String? {
    state.withLock { state in
      if let beatAt = state.beatAt, ContinuousClock.now - beatAt > Self.answerTimeout {
        return "the database server does not answer"
      }
      return state.hasWrongClock ? "the clock differs from that of the database server" : nil
    }
  }
}
