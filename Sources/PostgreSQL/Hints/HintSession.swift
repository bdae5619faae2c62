import Basics
import Glibc

/// The messages of one connection of a `HintChannel`, on its thread.
struct HintSession {
  /// The time between two proofs that messages arrive, when there are no others.
  private static let proofInterval = Duration.seconds(5)
  /// The time in which an own message must come back.
  static let proofTimeout = Duration.seconds(3)
  private static let notify = ServerStatement(
    "SELECT pg_notify('\(HintChannel.name)', $1)",
    types: [.text]
  )

  private let connection: BlockingConnection
  private let process: UInt64
  /// The number of the last message.
  private(set) var number: Int64
  private var messages = ReceivedMessages()
  private var sentAt = ContinuousClock.now - .seconds(3_600)
  /// Whether the last own message has come back, which proves that the connection listens.
  private var isProven = true

  /// What other processes have sent.
  struct Arrived {
    var messages = 0
    /// Whether messages were lost.
    var hasGap = false
    var hints: [Hint: Int64] = [:]
  }

  init(_ connection: BlockingConnection, process: UInt64, number: Int64) {
    self.connection = connection
    self.process = process
    self.number = number
  }

  var descriptor: Int32 { connection.pipeline.descriptor }

  var wantedEvents: Int16 {
    Int16(POLLIN) | (connection.pipeline.wantedEvents.contains(.writable) ? Int16(POLLOUT) : 0)
  }

  private var elapsed: Duration { ContinuousClock.now - sentAt }

  /// Milliseconds to wait for events.
  func pause(hasPending: Bool) -> Int32 {
    if hasPending, maySend { return 0 }
    let time = isProven ? Self.proofInterval : Self.proofTimeout
    return Int32(clamping: (time - elapsed).millisecondsRoundedUp)
  }

  /// Whether messages can be sent: the server has answered the last one.
  var maySend: Bool { !connection.pipeline.isBusy }

  /// Makes receivers notice that something was not sent.
  mutating func skipNumber() { number += 1 }

  /// Reads what has arrived.
  mutating func advance() throws(PostgreSQLError) -> Arrived {
    connection.pipeline.advance()
    if let failure = connection.pipeline.failure { throw failure }
    if !isProven, elapsed >= Self.proofTimeout {
      throw PostgreSQLError(.timedOut, message: "The connection does not receive its own messages.")
    }
    var arrived = Arrived()
    for text in connection.pipeline.takeNotifications(of: HintChannel.name) {
      guard let message = HintMessage(text) else { continue }
      if message.process == process {
        isProven = true
        continue
      }
      arrived.messages += 1
      if messages.receive(message) { arrived.hasGap = true }
      arrived.hints.merge(message.hints, uniquingKeysWith: max)
    }
    return arrived
  }

  /// Sends hints, or a proof if there were none for some time. Returns the number of messages, nil for none.
  mutating func send(_ hints: [Hint: Int64]) throws(PostgreSQLError) -> Int? {
    guard !hints.isEmpty || elapsed >= Self.proofInterval else { return nil }
    var pending = hints
    let batch = Batch()
    repeat {
      number += 1
      var message = HintMessage(process: process, number: number)
      batch.append(Self.notify, ParameterBuffer(message.fill(from: &pending)))
    } while !pending.isEmpty
    sentAt = .now
    isProven = false
    connection.submit(batch)
    if let failure = connection.pipeline.failure { throw failure }
    return batch.count
  }
}
