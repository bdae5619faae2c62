import Synchronization

/// How long a sender sends nothing to the services and the devices of its channel.
///
/// Any member can register a device whose pushes always fail. So a failure pauses its device, and the service only if
/// it is down or limits several members in succession.
final class PushPauses: Sendable {
  private struct Pause {
    var failures: Int64 = 0
    var end: Int64 = 0
    /// The members that a service has limited since it last received a push or was paused.
    var limited: Set<GlobalID> = []

    mutating func begin(at now: Int64, retryAfter: Int64?, lengthFactor: Int64 = 1) {
      // Several threads can fail at once.
      guard OutagePause.isOver(end, at: now) else { return }
      let length = lengthFactor * OutagePause.length(after: failures, retryAfter: retryAfter)
      end = now + min(length, OutagePause.longestAskedFor)
      failures += 1
    }
  }

  private struct State {
    var services: [String: Pause] = [:]
    var devices: [GlobalID: Pause] = [:]
  }

  /// The number of services and of devices that are remembered.
  private static let maximumCount = 1_000
  /// How many members a service limits in succession until the limit is taken for one of the server, and not of single
  /// devices.
  private static let limitedMembers = 5

  private let state = Mutex(State())

  /// The end of the pause of a push; nil if it can be sent now.
  func end(for push: QueuedPush, at service: String, now: Int64) -> Int64? {
    let ends = state.withLock { state in [state.services[service]?.end, state.devices[push.device]?.end] }
    return ends.compactMap { $0 }.filter { !OutagePause.isOver($0, at: now) }.max()
  }

  /// Begins or ends pauses after an attempt. Returns its outcome for the channel, which an outage does not pause then.
  ///
  /// - Parameter isLimit: whether the service answered that there are too many requests.
  func note(
    _ outcome: PushOutcome,
    isLimit: Bool,
    of push: QueuedPush,
    at service: String,
    now: Int64
  ) -> PushOutcome {
    guard case .failed(let failure, let isOutage, let retryAfter) = outcome else {
      state.withLock { state in
        state.services[service] = nil
        state.devices[push.device] = nil
      }
      return outcome
    }
    state.withLock { state in
      if state.services.count >= Self.maximumCount { state.services = [:] }
      if state.devices.count >= Self.maximumCount { state.devices = [:] }
      // Twice as long as the service, so that other devices come first when the pause of the service ends.
      state.devices[push.device, default: Pause()].begin(at: now, retryAfter: retryAfter, lengthFactor: 2)
      guard isOutage || isLimit else { return }
      var pause = state.services[service] ?? Pause()
      if isLimit { pause.limited.insert(push.recipient) }
      if isOutage || pause.limited.count >= Self.limitedMembers {
        pause.begin(at: now, retryAfter: retryAfter)
        pause.limited = []
      }
      state.services[service] = pause
    }
    return .failed(failure, isOutage: false, retryAfter: retryAfter)
  }
}
