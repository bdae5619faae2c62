import Basics
import Glibc

/// The messages of one connection of a `HintChannel`, on its thread.
struct HintSession {
  private static let notify = ServerStatement(
    "SELECT pg_notify('\(HintChannel.name)', $1)",
    types: [.text]
  )

  private let connection: BlockingConnection
  private let process: UInt64
  /// Of the last message.
  private(set) var number: Int64
  private let options: HintChannel.Options
  private var messages = ReceivedMessages()
  private var sentAt = ContinuousClock.now - .seconds(3_600)
  /// Whether the last own message has come back, which proves that the connection listens.
  var isProven = true

  init(_ connection: BlockingConnection, process: UInt64, number: Int64, options: HintChannel.Options) {
    self.connection = connection
    self.process = process
    self.number = number
    self.options = options
  }

  var descriptor: Int32 { connection.pipeline.descriptor }

  var wantedEvents: Int16 {
    Int16(POLLIN) | (connection.pipeline.wantedEvents.contains(.writable) ? Int16(POLLOUT) : 0)
  }

  private var elapsed: Int {
    let elapsed = (ContinuousClock.now - sentAt).components
    return Int(clamping: elapsed.seconds * 1_000 + elapsed.attoseconds / 1_000_000_000_000_000)
  }

  /// Milliseconds to wait for events.
  func pause(hasPending: Bool) -> Int32 {
    let next = hasPending ? options.interval : isProven ? options.proofInterval : options.proofPatience
    return Int32(clamping: max(0, next - elapsed))
  }

  /// Whether messages can be sent: the last one was long enough ago, and the server has answered it.
  var maySend: Bool { !connection.pipeline.isBusy && elapsed >= options.interval }

  /// Makes receivers notice that something was not sent.
  mutating func skipNumber() { number += 1 }

  /// Reads what has arrived. Returns whether a message of this process was among it.
  mutating func advance(_ receive: (HintReport) -> Void) throws(PostgreSQLError) -> Bool {
    connection.pipeline.advance([.readable, .writable])
    if let failure = connection.pipeline.failure { throw failure }
    if !isProven, elapsed >= options.proofPatience {
      throw PostgreSQLError(.timedOut, message: "The connection does not receive its own messages.")
    }
    var isOwn = false
    for text in connection.pipeline.takeNotifications(of: HintChannel.name) {
      guard let message = HintMessage(text) else { continue }
      if message.process == process {
        isOwn = true
        continue
      }
      if messages.hasGap(before: message) { receive(.gap) }
      if !message.hints.isEmpty { receive(.hints(message.hints)) }
    }
    return isOwn
  }

  /// Sends hints, or a proof if there were none for some time. Returns the number of messages, nil for none.
  mutating func send(_ hints: [Hint: Int64]) throws(PostgreSQLError) -> Int? {
    guard !hints.isEmpty || elapsed >= options.proofInterval else { return nil }
    var pending = hints
    let batch = Batch()
    repeat {
      number += 1
      var message = HintMessage(process: process, number: number)
      var parameters = ParameterBuffer()
      parameters.append(message.fill(from: &pending))
      batch.append(Self.notify, parameters)
    } while !pending.isEmpty
    sentAt = .now
    isProven = false
    connection.submit(batch)
    if let failure = connection.pipeline.failure { throw failure }
    return batch.count
  }
}
