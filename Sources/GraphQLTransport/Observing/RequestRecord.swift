import Basics
import GraphQL

/// What the request log says about a request. It contains neither tokens nor variables.
package struct RequestRecord: Sendable {
  /// The client that sent a request.
  package enum Client: Sendable, Equatable {
    /// The id of a member.
    case person(String)
    /// An address, or the prefix of a network.
    case network(String)
    case unknown
  }

  /// A step of the execution, such as an SQL statement.
  package struct Step: Sendable {
    let text: String
    let count: Int
    let nanoseconds: UInt64

    package init(_ text: String, count: Int, nanoseconds: UInt64) {
      self.text = text
      self.count = count
      self.nanoseconds = nanoseconds
    }
  }

  /// Milliseconds since 1970.
  var time: Int64
  /// Nil if the document was not valid.
  var type: OperationType?
  var operation: String?
  var nanoseconds: UInt64
  var cost: Int?
  var client: Client
  /// `OK`, or the code of the first error.
  var outcome: String
  /// The size of the response before compression, or of the first of its parts. 0 for a subscription that has begun.
  var bytes: Int
  /// Nil unless the request was slow.
  var steps: [Step]?
  /// The id of the trace that the request belongs to.
  var trace: String?
}

/// What the request log needs of a request that runs. Made only for requests that may be logged.
final class RequestNote {
  /// Whether the request is logged even if it is not slow.
  let isSampled: Bool
  /// Nil until the operation is prepared.
  var operation: PreparedOperation?
  var variables = VariableValues.none

  /// Nil if the request belongs to no trace.
  let trace: TraceContext?

  init(isSampled: Bool, trace: TraceContext?) {
    self.isSampled = isSampled
    self.trace = trace
  }
}
