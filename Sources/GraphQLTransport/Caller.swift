import HTTP

/// What a request says about its caller: in its headers, or in those of the connection that carries it.
package struct Caller: Sendable {
  /// The value of the Authorization header, such as `Bearer …`.
  package let authorization: ArraySlice<UInt8>?
  /// The host that the client addressed.
  package let host: ArraySlice<UInt8>?
  /// The client's address, as far as it is trustworthy.
  package let address: String?
  /// The request, if the service reads other headers of it.
  private let kept: KeptRequest?

  /// Boxed because a request is as large as a dozen references: copying it for each caller took a twentieth of the
  /// instructions of `{ __typename }`.
  private final class KeptRequest: Sendable {
    let request: HTTPRequest
    init(_ request: HTTPRequest) { self.request = request }
  }

  /// The request; nil if the service does not keep it: see `GraphQLService.keepsRequest`.
  package var request: HTTPRequest? { kept?.request }
}

// Initializers are in an extension: the one of the members makes a caller without a copy.
extension Caller {
  package init(authorization: ArraySlice<UInt8>?, host: ArraySlice<UInt8>?, address: String?) {
    self.init(authorization: authorization, host: host, address: address, kept: nil)
  }

  package init(_ request: borrowing HTTPRequest, address: String? = nil, keepsRequest: Bool) {
    self.init(
      authorization: request[.authorization],
      host: request.host,
      address: address,
      kept: keepsRequest ? KeptRequest(copy request) : nil
    )
  }

  /// A copy for a connection that outlives the request. Unless the request is kept, only these few bytes stay in
  /// memory.
  func forConnection() -> Caller {
    Caller(
      authorization: authorization.map { Array($0)[...] },
      host: host.map { Array($0)[...] },
      address: address,
      kept: kept
    )
  }

  /// A copy with the authorization of a message instead of the request's.
  func with(authorization: ArraySlice<UInt8>?) -> Caller {
    Caller(authorization: authorization.map { Array($0)[...] }, host: host, address: address, kept: kept)
  }
}
