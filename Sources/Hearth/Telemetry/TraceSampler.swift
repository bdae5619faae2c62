import Basics
import GraphQLTransport
import HTTP
import Synchronization

/// Decides which requests are traced, and makes the ids of their spans.
///
/// A request with a `traceparent` header is traced if its client's span is. Of the others, a share is.
final class TraceSampler: Sendable {
  /// Requests whose random number is below it are traced.
  private let threshold: UInt64
  private let state: Atomic<UInt64>

  /// The random bits of a trace's id that are compared, as by other implementations (W3C Trace Context Level 2,
  /// section 5.1).
  private static let randomBits: UInt64 = 1 << 56

  init(ratio: Double) {
    threshold = UInt64(Double(Self.randomBits) * min(max(ratio, 0), 1))
    state = Atomic(.random(in: 0 ... .max))
  }

  func begin(_ request: HTTPRequest?, route: String) -> RequestTrace? {
    let method = request?.tracedMethod ?? ""
    if let request, let parent = request.traceParent {
      guard parent.isSampled else { return nil }
      let context = TraceContext(high: parent.high, low: parent.low, span: nextID(), isSampled: true)
      return RequestTrace(context, parent: parent, state: request.traceState, method: method, route: route)
    }
    let low = nextID()
    guard low & (Self.randomBits - 1) < threshold else { return nil }
    let context = TraceContext(high: nextID(), low: low, span: nextID(), isSampled: true)
    return RequestTrace(context, parent: nil, state: nil, method: method, route: route)
  }

  /// A random number other than 0, from a generator whose state all threads share.
  private func nextID() -> UInt64 {
    SpanID.id(for: state.wrappingAdd(SeededGenerator.increment, ordering: .relaxed).newValue)
  }
}

/// Ids of spans.
enum SpanID {
  /// The id of a step of a trace, which depends on that of the request's span and on the step's index.
  static func ofStep(_ index: Int, in span: UInt64) -> UInt64 {
    id(for: span &+ UInt64(index + 1) &* SeededGenerator.increment)
  }

  /// 0 is not a valid id.
  fileprivate static func id(for state: UInt64) -> UInt64 { max(SeededGenerator.number(for: state), 1) }
}
