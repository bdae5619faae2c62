import Basics
import GraphQL
import HTTP

/// Decides which requests are traced, and takes their traces. Shared by all loops.
///
/// Implementations are classes: copying a value of any type took 140 instructions of each request, also without one.
package protocol RequestTracing: AnyObject, Sendable {
  /// The trace of a request that begins; nil if it is not traced.
  ///
  /// - Parameter request: nil for an operation of a WebSocket, which is the root of a trace of its own.
  func begin(_ request: HTTPRequest?, route: String) -> RequestTrace?

  /// Takes a trace that is complete. Called on the event loop, so that it must not take long.
  func end(_ trace: RequestTrace)

  /// Calls `body`, and everything that it awaits, with the trace as the current one of a tracing system.
  func within(_ trace: RequestTrace, _ body: () -> Void)
  func within(_ trace: RequestTrace, _ body: () async -> Void) async
}

extension RequestTracing {
  package func within(_ trace: RequestTrace, _ body: () -> Void) { body() }
  package func within(_ trace: RequestTrace, _ body: () async -> Void) async { await body() }
}

extension HTTPRequest {
  /// The span of the client's program that sent the request (W3C Trace Context); nil without a valid header.
  package var traceParent: TraceContext? {
    guard count(of: .traceparent) == 1 else { return nil }
    return self[.traceparent].flatMap { TraceContext(parsing: $0) }
  }

  /// What tracing systems pass on with `traceParent`; nil if it is longer than every implementation must pass on, or
  /// has characters that the header cannot have.
  package var traceState: String? {
    var parts: [ArraySlice<UInt8>] = []
    forEachHeader { name, value in
      if name.count == 10, name.equalsIgnoringCase("tracestate") { parts.append(value) }
    }
    let bytes = parts.joined(separator: CollectionOfOne(UInt8(ascii: ",")))
    guard !parts.isEmpty, parts.reduce(0, { $0 + $1.count + 1 }) <= 513,
      bytes.allSatisfy({ (0x20...0x7E).contains($0) })
    else { return nil }
    return String(decoding: Array(bytes), as: UTF8.self)
  }

  /// The method as traces name it.
  package var tracedMethod: StaticString {
    switch method {
    case .get: "GET"
    case .head: "HEAD"
    case .post: "POST"
    default: "_OTHER"
    }
  }
}
