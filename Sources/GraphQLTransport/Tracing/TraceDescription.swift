import Basics
import Glibc

/// What a span says, for every tracing system, by the semantic conventions of OpenTelemetry where they have names.
/// Neither variables nor anything about a person is among it.
package enum TraceValue {
  case fixed(StaticString)
  case text(String)
  case number(Int)
}

extension RequestTrace {
  /// Clients choose names of operations.
  private static var maximumNameBytes: Int { 100 }

  /// The name of the operation, shortened.
  private var shownOperation: String? { operation.map { String($0.prefix(Self.maximumNameBytes)) } }

  package var spanName: String {
    guard operationType.utf8CodeUnitCount > 0 else { return "GraphQL" }
    return shownOperation.map { "\(operationType) \($0)" } ?? "\(operationType)"
  }

  package func forEachAttribute(_ body: (StaticString, TraceValue) -> Void) {
    body("http.route", .text(route))
    if method.utf8CodeUnitCount > 0 {
      body("http.request.method", .fixed(method))
    } else {
      body("network.protocol.name", .fixed("websocket"))
    }
    if operationType.utf8CodeUnitCount > 0 { body("graphql.operation.type", .fixed(operationType)) }
    if let shownOperation { body("graphql.operation.name", .text(shownOperation)) }
    if let errorCode { body("error.type", .text(errorCode)) }
    body("graphql.response.bytes", .number(responseBytes))
    if omittedSteps > 0 { body("graphql.trace.omitted", .number(omittedSteps)) }
  }
}

extension RequestTrace {
  package func forEachAttribute(of step: Step, _ body: (StaticString, TraceValue) -> Void) {
    if step.isOfDatabase, database.utf8CodeUnitCount > 0 { body("db.system.name", .fixed(database)) }
    switch step.work {
    case .preparation, .planning, .writeWait: break
    case .level:
      body("graphql.level", .number(step.rows))
      body("graphql.objects", .number(step.count))
    case .statements:
      body("db.operation.batch.size", .number(step.count))
      body("db.response.returned_rows", .number(step.rows))
    case .write: body("db.operation.batch.size", .number(step.count))
    }
  }
}

extension RequestTrace.Step {
  package var spanName: StaticString {
    switch work {
    case .preparation: "prepare"
    case .planning: "plan"
    case .level: "level"
    case .statements: "read"
    case .writeWait: "wait for the writer"
    case .write: "write"
    }
  }

  /// Whether the span is one of a client of the database.
  ///
  /// A switch, because `==` for an enum of another module is generic code: 1,000 instructions for a dashboard.
  package var isOfDatabase: Bool {
    switch work {
    case .statements, .write: true
    case .preparation, .planning, .level, .writeWait: false
    }
  }
}

/// The difference between the clock of traces, which is monotonic, and the time of day.
package struct SystemClockOffset: Sendable {
  private let offset: UInt64

  /// Reads both clocks.
  package init() {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    offset = UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec) &- MonotonicClock.nanoseconds
  }

  /// The time of day.
  package static var nanosecondsSinceEpoch: UInt64 {
    SystemClockOffset().nanosecondsSinceEpoch(of: MonotonicClock.nanoseconds)
  }

  package func nanosecondsSinceEpoch(of time: UInt64) -> UInt64 { time &+ offset }
}
