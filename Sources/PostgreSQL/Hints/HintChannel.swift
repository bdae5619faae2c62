import Basics
import Glibc
import Synchronization

/// Sends hints to the other processes that use the database, and receives theirs, by NOTIFY and LISTEN.
///
/// NOTIFY within a write's transaction would take a lock of the whole database until its commit: with 16 writers that
/// cost almost half of the writes. So hints are collected after commits, and one connection, which does not wait for
/// the disk, sends them together. The same connection listens, and its own messages prove that it does.
///
/// To be woken up costs more than a hint. So the thread sleeps after it has sent or received, and the hints of busy
/// processes cost a process the same however many processes there are.
package final class HintChannel: Sendable {
  package struct Options: Sendable {
    /// The time that the thread sleeps after it has sent or received: what happens meanwhile is done together.
    package var interval = Duration.milliseconds(10)
    /// The time until a lost connection is replaced, and between two attempts.
    package var pause = Duration.milliseconds(500)

    package init() {}
  }

  private struct State {
    var pending: [Hint: Int64] = [:]
    /// Hints were dropped, because no server answers.
    var hasLost = false
    var isClosed = false
  }

  static let name = "hearth_hint"
  /// Hints that wait for a connection.
  private static let limit = 100_000

  private let connector: Connector
  private let options: Options
  private let receive: @Sendable (HintReport) -> Void
  private let poll: WakeablePoll
  private let state = Mutex(State())
  private let end = ThreadEnd()
  private let sent = Atomic<Int>(0)
  private let received = Atomic<Int>(0)
  private let backend = Atomic<Int>(0)

  /// - Parameter receive: called on the channel's thread. It must not block.
  package init(
    _ connection: ConnectionOptions,
    options: Options = Options(),
    receive: @escaping @Sendable (HintReport) -> Void
  ) throws {
    var connection = connection
    connection.waitsForDisk = false
    connector = Connector(connection)
    self.options = options
    self.receive = receive
    poll = try WakeablePoll()
    try SystemThread.startDetached(name: "hints") { [self] in
      run()
      end.threadHasEnded()
    }
  }

  /// The messages that were sent, and that came from other processes.
  package var counts: (sent: Int, received: Int) {
    (sent.load(ordering: .relaxed), received.load(ordering: .relaxed))
  }

  /// The number of the server process of the current connection; 0 while there is none. For tests.
  package var backendID: Int { backend.load(ordering: .acquiring) }

  /// Sends a hint with the next message. Of hints with the same kind and key the highest number is sent. Can be called
  /// from any thread.
  package func post(_ hint: Hint, number: Int64) {
    let mustWake = state.withLock { state in
      guard state.pending.count < Self.limit || state.pending[hint] != nil else {
        state.hasLost = true
        return false
      }
      defer { state.pending[hint] = max(number, state.pending[hint] ?? number) }
      return state.pending.isEmpty
    }
    if mustWake { poll.wake() }
  }

  /// Ends the thread, after it has tried to send what is pending.
  package func close() async {
    state.withLock { $0.isClosed = true }
    poll.wake()
    await end.wait()
  }

  // MARK: The thread

  private func run() {
    let process = UInt64.random(in: .min ... .max)
    // Messages of this process are numbered over all of its connections.
    var number: Int64 = 0
    while !state.withLock({ $0.isClosed }) {
      do throws(PostgreSQLError) {
        let connection = BlockingConnection(try connector.connect(), timeout: HintSession.proofTimeout)
        try connection.run("LISTEN \(Self.name)")
        backend.store(connection.pipeline.backendID, ordering: .releasing)
        // What was committed before may have been missed.
        receive(.gap)
        var session = HintSession(connection, process: process, number: number)
        defer { number = session.number }
        try exchange(&session)
      } catch {
        backend.store(0, ordering: .releasing)
        poll.wait(atMost: Int32(clamping: options.pause.millisecondsRoundedUp))
      }
    }
  }

  /// Sends and receives until the channel is closed. Throws when the connection is lost.
  private func exchange(_ session: inout HintSession) throws(PostgreSQLError) {
    while true {
      let (isClosed, hasPending) = state.withLock { ($0.isClosed, !$0.pending.isEmpty) }
      if isClosed, !hasPending { return }
      poll.wait(
        for: session.wantedEvents,
        on: session.descriptor,
        atMost: isClosed ? 0 : session.pause(hasPending: hasPending)
      )
      let arrived = try session.advance()
      received.add(arrived.messages, ordering: .relaxed)
      if arrived.hasGap { receive(.gap) }
      if !arrived.hints.isEmpty { receive(.hints(arrived.hints)) }
      if session.maySend || isClosed { try sendPending(on: &session) }
      if !isClosed { usleep(UInt32(clamping: options.interval.millisecondsRoundedUp * 1_000)) }
    }
  }

  private func sendPending(on session: inout HintSession) throws(PostgreSQLError) {
    let pending = state.withLock { state in
      defer { state.pending = [:] }
      if state.hasLost { session.skipNumber() }
      state.hasLost = false
      return state.pending
    }
    if let messages = try session.send(pending) { sent.add(messages, ordering: .relaxed) }
  }
}
