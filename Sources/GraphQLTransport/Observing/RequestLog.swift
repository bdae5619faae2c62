import Basics
import Bytes
import EventLoop
import Glibc
import JSON
import Synchronization

/// Writes a line for each request, or for some of them, and the statements of slow ones. The event loops only append
/// records to a bounded queue; a thread formats and writes them. Records that do not fit the queue are counted.
package final class RequestLog: Sendable {
  package enum Format: String, Sendable { case text, json }

  package struct Options: Sendable {
    package var format = Format.text
    /// One of this number of requests is logged. Nil logs none.
    package var interval: Int?
    /// Requests that take at least as long are logged with their statements; nil for none.
    package var slowNanoseconds: UInt64?

    package init() {}
  }

  private static let queueLimit = 4_096
  private static let recordsAtOnce = 256
  /// How long the end waits for a reader of the output.
  private static let shutdownTimeout = Duration.seconds(1)

  private let options: Options
  private let queue = BlockingQueue<RequestRecord>(limit: RequestLog.queueLimit)
  private let thread = Mutex<SystemThread?>(nil)
  private let count = Atomic<Int>(0)
  private let dropped = Atomic<Int>(0)
  private let isEnding = Atomic<Bool>(false)

  package init(_ options: Options) { self.options = options }

  /// The number of records that were dropped because the queue was full, or that could not be written.
  package var droppedCount: Int { dropped.load(ordering: .relaxed) }

  /// Whether the statements of requests are measured.
  package var hasSlowLog: Bool { options.slowNanoseconds != nil }

  func isSlow(_ nanoseconds: UInt64) -> Bool { options.slowNanoseconds.map { nanoseconds >= $0 } ?? false }

  /// Whether the next request is logged. Called once for each.
  func takesNext() -> Bool {
    guard let interval = options.interval else { return false }
    return count.wrappingAdd(1, ordering: .relaxed).oldValue % interval == 0
  }

  func append(_ record: RequestRecord) {
    do {
      try queue.append(record)
    } catch {
      dropped.add(1, ordering: .relaxed)
    }
  }

  // MARK: The thread

  /// Starts writing to a file descriptor.
  ///
  /// - Parameter report: called with a sentence for operators when a write fails for the first time.
  package func start(
    writingTo descriptor: Int32,
    report: @escaping @Sendable (String) -> Void = { _ in }
  ) throws(SystemThread.StartError) {
    let started = try SystemThread(name: "request-log") { [self] in run(descriptor, report) }
    thread.withLock { $0 = started }
  }

  /// Returns when the queued records are written, or cannot be within a second.
  package func stop() {
    isEnding.store(true, ordering: .relaxed)
    queue.close()
    thread.withLock { thread in
      thread?.join()
      thread = nil
    }
  }

  private func run(_ descriptor: Int32, _ report: (String) -> Void) {
    var reported = 0
    var hasFailed = false
    // Whether a failed write has left the last line incomplete.
    var isCut = false
    while let records = queue.next(atMost: Self.recordsAtOnce) {
      var output = ByteBuffer(capacity: 64 << 10)
      if isCut { output.append("\n") }
      var ends: [Int] = []
      for record in records {
        append(record, to: &output)
        ends.append(output.count)
      }
      let dropped = droppedCount
      if dropped > reported { appendDropped(dropped - reported, to: &output) }
      let bytes = output.array()
      let (written, failure) = write(bytes, to: descriptor)
      if written > 0 { isCut = bytes[written - 1] != UInt8(ascii: "\n") }
      if written == bytes.count {
        reported = dropped
        continue
      }
      self.dropped.add(ends.count { $0 > written }, ordering: .relaxed)
      guard let failure else { return }
      if !hasFailed { report("The request log cannot be written: \(failure). Its lines are dropped until it can be.") }
      hasFailed = true
    }
  }

  /// Writes pieces that a pipe takes at once when it is ready, so that the end is not delayed by a reader that has
  /// stopped reading.
  ///
  /// Returns the number of bytes that were written. They are all, unless a write has failed, or the server ends and the
  /// reader has read nothing for `shutdownTimeout`. Then there is no failure.
  private func write(_ bytes: [UInt8], to descriptor: Int32) -> (written: Int, failure: String?) {
    var written = 0
    var waited = Duration.zero
    while written < bytes.count {
      var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      if poll(&ready, 1, 100) == 0 {
        waited += .milliseconds(100)
        if waited >= Self.shutdownTimeout, isEnding.load(ordering: .relaxed) { return (written, nil) }
        continue
      }
      let count = bytes[written...].prefix(4_096).withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR || errno == EAGAIN { continue }
      // The reader has ended, or the disk is full.
      guard count > 0 else { return (written, FileCalls.reason) }
      written += count
      waited = .zero
    }
    return (written, nil)
  }

  // MARK: The format

  private func append(_ record: RequestRecord, to output: inout ByteBuffer) {
    switch options.format {
    case .text: output.append(text: record)
    case .json: output.append(json: record)
    }
  }

  private func appendDropped(_ count: Int, to output: inout ByteBuffer) {
    switch options.format {
    case .text: output.append("\(count) requests were not logged, because the log was too slow or failed.\n")
    case .json: output.append("{\"dropped\":\(count)}\n")
    }
  }
}

extension ByteBuffer {
  /// The longest name of an operation that is logged. Clients choose it.
  private static var maximumNameBytes: Int { 100 }

  fileprivate mutating func append(json record: RequestRecord) {
    append("{\"time\":")
    append(dateTime: record.time)
    append(",\"type\":")
    append(optional: record.type.map { "\($0)" })
    append(",\"operation\":")
    append(optional: record.operation.map { String($0.prefix(Self.maximumNameBytes)) })
    append(",\"outcome\":")
    append(jsonString: record.outcome)
    append(",\"milliseconds\":")
    append(Self.milliseconds(record.nanoseconds))
    append(",\"cost\":")
    append(record.cost.map { "\($0)" } ?? "null")
    append(",\"bytes\":")
    append(decimal: Int64(record.bytes))
    switch record.client {
    case .person(let id):
      append(",\"person\":")
      append(jsonString: id)
    case .network(let network):
      append(",\"network\":")
      append(jsonString: network)
    case .unknown: break
    }
    if let trace = record.trace {
      append(",\"trace\":")
      append(jsonString: trace)
    }
    if let steps = record.steps {
      append(",\"slow\":true,\"statements\":[")
      for (index, step) in steps.enumerated() {
        if index > 0 { append(",") }
        append("{\"milliseconds\":\(Self.milliseconds(step.nanoseconds)),\"count\":\(step.count),\"sql\":")
        append(jsonString: step.text)
        append("}")
      }
      append("]")
    }
    append("}\n")
  }

  fileprivate mutating func append(text record: RequestRecord) {
    var time = ByteBuffer()
    time.append(dateTime: record.time)
    append(Array(time.array().dropFirst().dropLast()))
    append(" \(record.type.map { "\($0)" } ?? "–") \(record.operation?.prefix(Self.maximumNameBytes) ?? "–")")
    append(" \(record.outcome) \(Self.milliseconds(record.nanoseconds)) ms")
    append(" cost \(record.cost.map { "\($0)" } ?? "–") \(record.bytes) B ")
    switch record.client {
    case .person(let id): append("person \(id)")
    case .network(let network): append("network \(network)")
    case .unknown: append("unknown")
    }
    if let trace = record.trace { append(" trace \(trace)") }
    append(record.steps == nil ? "\n" : " slow\n")
    for step in record.steps ?? [] {
      append("  \(Self.milliseconds(step.nanoseconds)) ms, \(step.count)x: \(step.text)\n")
    }
  }

  private mutating func append(optional text: String?) {
    if let text { append(jsonString: text) } else { append("null") }
  }

  /// With three decimals.
  static func milliseconds(_ nanoseconds: UInt64) -> String {
    let microseconds = nanoseconds / 1_000
    let fraction = String(microseconds % 1_000)
    return "\(microseconds / 1_000)." + String(repeating: "0", count: 3 - fraction.count) + fraction
  }
}
