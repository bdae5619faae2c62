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

  /// A random number other than 0 (SplitMix64, whose state all threads share).
  private func nextID() -> UInt64 {
    let number = state.wrappingAdd(SpanID.increment, ordering: .relaxed).newValue
    return SpanID.mixed(number)
  }
}

/// Ids of spans.
enum SpanID {
  static let increment: UInt64 = 0x9E37_79B9_7F4A_7C15

  /// The id of a step of a trace, which depends on that of the request's span and on the step's index.
  static func ofStep(_ index: Int, in span: UInt64) -> UInt64 { mixed(span &+ UInt64(index + 1) &* increment) }

  /// Distributes the bits of a number. Never 0.
  static func mixed(_ number: UInt64) -> UInt64 {
    var mixed = number
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    mixed ^= mixed >> 31
    return mixed == 0 ? 1 : mixed
  }
}
