import Basics

/// The queue of writes for the writer's thread. Its lanes (`PendingWrite.lane`) take turns, so that one of them,
/// however many and long its writes are, does not keep the others waiting. Each lane is first in, first out.
final class WriteQueue: Sendable {
  private struct State: Sendable {
    /// All writes, while they are so few that the next group has all of them whatever their lanes are. Lanes cost time,
    /// and most groups need none.
    var arrivals: [PendingWrite] = []
    /// All writes otherwise.
    var lanes = Lanes<Int64?, PendingWrite>()
    var isClosed = false

    var count: Int { arrivals.count + lanes.count }

    mutating func moveToLanes() {
      for write in arrivals { lanes.append(write, to: write.lane) }
      arrivals = []
    }
  }

  private enum Admission: Sendable {
    case accepted, laneIsFull, isFull, isClosed
    /// A write of a longer lane was removed to make room.
    case displaced(PendingWrite)
  }

  private let limit: Int
  private let laneLimit: Int
  private let groupLimit: Int
  private let monitor = Monitor(State())

  init(_ limits: DatabaseLimits) {
    limit = limits.queuedWrites
    laneLimit = limits.queuedWritesOfLane
    groupLimit = limits.groupedWrites
  }

  /// The number of queued writes, without those that the writer has taken.
  var count: Int { monitor.withLock { state, _ in state.count } }

  /// Throws `overloaded` when the queue or the lane is full, and `closed` after `close`. When the queue is full, the
  /// newest write of the longest lane fails instead, if that is longer than the lane of this write.
  func append(_ write: PendingWrite) throws(DatabaseError) {
    let admission = monitor.withLock { state, waitingThreads in
      // Writes that a waiting thread is about to take do not count.
      let admission = admit(write, to: &state, limit: limit + waitingThreads)
      if case .accepted = admission { monitor.signal() }
      return admission
    }
    switch admission {
    case .accepted: break
    case .displaced(let other): other.fail(fullError)
    case .isFull: throw fullError
    case .laneIsFull:
      throw DatabaseError(.overloaded, message: "The lane of a write is full: \(laneLimit) writes are waiting in it.")
    case .isClosed: throw DatabaseError(.closed, message: "The database is closed.")
    }
  }

  private var fullError: DatabaseError {
    DatabaseError(.overloaded, message: "The queue of writes is full: \(limit) writes are waiting.")
  }

  private func admit(_ write: PendingWrite, to state: inout State, limit: Int) -> Admission {
    if state.isClosed { return .isClosed }
    if state.lanes.count == 0, state.arrivals.count < min(limit, laneLimit, groupLimit) {
      state.arrivals.append(write)
      return .accepted
    }
    state.moveToLanes()
    let length = state.lanes.count(of: write.lane)
    // The server limits the number of its own writes.
    guard write.lane == nil || length < laneLimit else { return .laneIsFull }
    if state.lanes.count < limit {
      state.lanes.append(write, to: write.lane)
      return .accepted
    }
    // The server's own writes stay.
    guard let other = state.lanes.popLast(ofLaneLongerThan: length + 1, where: { $0 != nil }) else { return .isFull }
    state.lanes.append(write, to: write.lane)
    return .displaced(other)
  }

  /// Waits for writes and takes at most one group. Returns nil once the queue is closed and empty.
  func next() -> [PendingWrite]? {
    monitor.wait { state -> [PendingWrite]?? in
      if !state.arrivals.isEmpty {
        defer { state.arrivals = [] }
        return state.arrivals
      }
      guard state.lanes.count > 0 else { return state.isClosed ? .some(nil) : nil }
      var group: [PendingWrite] = []
      while group.count < groupLimit, let write = state.lanes.popFirst() { group.append(write) }
      return group
    }
  }

  /// Returns the last writes of a group, which have not run. They come before later ones of their lanes.
  func putBack(_ writes: ArraySlice<PendingWrite>) {
    guard !writes.isEmpty else { return }
    monitor.withLock { state, _ in
      state.moveToLanes()
      for write in writes.reversed() { state.lanes.putBack(write, to: write.lane) }
    }
  }

  /// Rejects further writes. The writer's thread ends once the queued ones are done.
  func close() {
    monitor.withLock { state, _ in
      state.isClosed = true
      monitor.broadcast()
    }
  }
}
