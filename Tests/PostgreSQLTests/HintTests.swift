import Basics
import TestSupport
import Testing

@testable import PostgreSQL

/// Messages between processes that use the same database.
@Suite("Hints", .timeLimit(.minutes(2)))
struct HintTests {
  private static let family = UInt8(ascii: "f")

  @Test func `messages carry all hints, within the limit of PostgreSQL`() throws {
    var pending: [Hint: Int64] = [:]
    for key: Int64 in 0..<1_000 { pending[Hint(Self.family, key: .max - key)] = .min + key }
    let all = pending
    var (received, number): ([Hint: Int64], Int64) = ([:], 0)
    while !pending.isEmpty {
      number += 1
      var message = HintMessage(process: .max, number: number)
      let text = message.fill(from: &pending)
      #expect(text.utf8.count < 8_000)
      let read = try #require(HintMessage(text))
      #expect(read == message && read.process == .max && read.number == number)
      received.merge(read.hints) { first, _ in first }
    }
    #expect(received == all && number > 1)
  }

  @Test(arguments: ["", "x 1", "1", "1 x", "1 1 f", "1 1 f1", "1 1 f1=x", "1 1 =1"])
  func `what is no message is ignored`(text: String) { #expect(HintMessage(text) == nil) }

  @Test func `a missing message of a process is noticed`() {
    var messages = ReceivedMessages()
    func hasGap(_ process: UInt64, _ number: Int64) -> Bool {
      messages.receive(HintMessage(process: process, number: number))
    }
    #expect(!hasGap(1, 1) && !hasGap(1, 2) && !hasGap(1, 3))
    #expect(hasGap(1, 5) && !hasGap(1, 6))
    // Something was sent before the first message that arrived.
    #expect(hasGap(2, 7) && !hasGap(2, 8))
    // Late and repeated ones.
    #expect(!hasGap(1, 4) && !hasGap(1, 7))
  }

  /// What a channel has received: the keys of hints, or nil for a gap.
  private final class Received: Sendable {
    private let reports = Monitor<[[Int64]?]>([])

    @Sendable func receive(_ report: HintReport) {
      reports.withLock { reports, _ in
        switch report {
        case .gap: reports.append(nil)
        case .hints(let hints): reports.append(hints.keys.map(\.key).sorted())
        }
      }
      reports.broadcast()
    }

    /// Waits until a report is there that `body` accepts, and removes those up to it.
    func next(_ body: @escaping @Sendable ([Int64]?) -> Bool) async throws {
      try await TestThread { [reports] in
        reports.wait { reports -> Void? in
          guard let index = reports.firstIndex(where: body) else { return nil }
          reports.removeFirst(index + 1)
          return ()
        }
      }.value
    }
  }

  @Test(.needsPostgreSQL)
  func `hints arrive at the other processes, and lost ones are noticed when the connection is replaced`() async throws {
    let database = try await TestDatabase()
    let (one, other) = (Received(), Received())
    let sender = try HintChannel(database.options, receive: one.receive)
    let receiver = try HintChannel(database.options, receive: other.receive)
    // Each looks once it listens.
    try await one.next { $0 == nil }
    try await other.next { $0 == nil }
    for key: Int64 in 1...3 { sender.post(Hint(Self.family, key: key), number: 1) }
    try await other.next { $0?.contains(3) == true }
    for _ in 1...3 {
      try await database.terminate(receiver.backendID)
      try await other.next { $0 == nil }
      sender.post(Hint(Self.family, key: 4), number: 1)
      try await other.next { $0 == [4] }
    }
    await sender.close()
    await receiver.close()
  }

  @Test(.needsPostgreSQL)
  func `hints of the same kind and key share a message`() async throws {
    let database = try await TestDatabase()
    let (one, other) = (Received(), Received())
    let sender = try HintChannel(database.options, receive: one.receive)
    let receiver = try HintChannel(database.options, receive: other.receive)
    try await one.next { $0 == nil }
    try await other.next { $0 == nil }
    let before = sender.counts.sent
    for number: Int64 in 1...10_000 { sender.post(Hint(Self.family, key: 7), number: number) }
    sender.post(Hint(Self.family, key: 8), number: 1)
    try await other.next { $0?.contains(8) == true }
    #expect(sender.counts.sent - before < 1_000)
    await sender.close()
    await receiver.close()
  }

  @Test(.needsPostgreSQL)
  func `a process is woken up by hints once in its interval at most, however many messages others send`() async throws {
    let database = try await TestDatabase()
    let reports = Monitor<[[Int64]]>([])
    let started = Received()
    var options = HintChannel.Options()
    options.interval = .milliseconds(200)
    let receiver = try HintChannel(database.options, options: options) { report in
      started.receive(report)
      guard case .hints(let hints) = report else { return }
      reports.withLock { reports, _ in reports.append(hints.keys.map(\.key)) }
      reports.broadcast()
    }
    try await started.next { $0 == nil }
    options.interval = .milliseconds(1)
    let senders = try (1...2).map { _ in try HintChannel(database.options, options: options) { _ in } }
    let (start, count): (ContinuousClock.Instant, Int64) = (.now, 50)
    for key in 1...count {
      for (number, sender) in senders.enumerated() {
        let sent = sender.counts.sent
        sender.post(Hint(Self.family, key: key + Int64(number) * count), number: 1)
        while sender.counts.sent == sent { await Task.yield() }
      }
    }
    try await TestThread {
      reports.wait { reports in Set(reports.joined()).count == 2 * Int(count) ? () : nil }
    }.value
    let intervals = Int((ContinuousClock.now - start) / .milliseconds(200))
    let total = reports.withLock { reports, _ in reports.count }
    #expect(total <= intervals + 2, "\(total) reports in \(intervals) intervals")
    for channel in senders + [receiver] { await channel.close() }
  }
}
