import Bytes

/// The part of a service that determines which responses to queries can be sent again. An application that knows what
/// its data depends on implements it; by default no response is.
///
/// It must guarantee that a response is valid only while an execution for the same audience would give the same bytes.
package protocol ResponseReuse: CallerIdentification {
  /// For how long a response can be sent again.
  associatedtype ResponseValidity = Never

  /// Begins a query whose response can be sent again to equal requests. Appends to `key` everything by which responses
  /// to an operation with equal variables differ, except for the caller, the data and the time, such as the address
  /// that they use. Returns nil if that is not known.
  func beginReuse(for context: Context, key: inout ByteBuffer) -> ResponseAudiences?

  /// The validity of the response that was executed since `beginReuse`, and which of the audiences gets it; nil if it
  /// must not be sent again. If the context answers at once, nothing may have been suspended since.
  func validityOfResponse(in context: Context) -> (validity: ResponseValidity, audience: UInt64)?

  /// Whether an execution would give the same response now. Call `beginReuse` before, and this in passes.
  func isValid(_ validity: ResponseValidity, for context: Context) throws -> Bool
}

extension ResponseReuse {
  package func beginReuse(for context: Context, key: inout ByteBuffer) -> ResponseAudiences? { nil }
  package func validityOfResponse(
    in context: Context
  ) -> (validity: ResponseValidity, audience: UInt64)? { nil }
  package func isValid(_ validity: ResponseValidity, for context: Context) -> Bool { false }
}
