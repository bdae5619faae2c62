import Foundation
import Glibc
import TestSupport
import Testing

@testable import GraphQL

/// Documents that are expensive to validate. Each is accepted or rejected within a bounded time and with a small stack,
/// with all limits on and with only the budget.
@Suite("Hostile documents", .serialized)
struct HostileDocumentTests {
  static let schema = Result { try SchemaBuilder.build(HostileDocument.schema) }

  @Test(arguments: HostileDocument.all)
  func `validation needs little time and stack`(hostile: HostileDocument) async throws {
    let schema = try Self.schema.get()
    let document = try Parser.parse(Source(hostile.text), options: .trusted)
    var unlimited = ValidationOptions()
    unlimited.limits.aliases = .max
    unlimited.limits.depth = .max
    unlimited.limits.directives = .max
    unlimited.limits.fragmentSpreads = .max
    unlimited.limits.introspectionLists = .max
    unlimited.limits.rootFields = .max
    for options in [ValidationOptions(), unlimited] {
      let (milliseconds, messageBytes) = await onSmallStack {
        let start = processorTime()
        let errors = Validator.validate(document, against: schema, options: options)
        return (processorTime() - start, errors.reduce(0) { $0 + $1.message.utf8.count })
      }
      // The limit is 50 ms in a release build. Without optimization, validation takes about twenty times as long.
      #if DEBUG
        #expect(milliseconds < 2000, "\(milliseconds) ms")
      #else
        #expect(milliseconds < 50, "\(milliseconds) ms")
      #endif
      #expect(messageBytes < 200_000)
    }
  }

  /// Runs work on a thread with the smallest stack of the server's threads.
  private func onSmallStack<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
      let thread = Thread { continuation.resume(returning: work()) }
      thread.stackSize = 512 * 1024
      thread.start()
    }
  }
}

/// The processor time used by this thread, in milliseconds.
private func processorTime() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return Double(time.tv_sec) * 1000 + Double(time.tv_nsec) / 1_000_000
}
