import HTTP

/// Who a request comes from, as far as it says so itself: by its headers, or by what the connection that carries it was
/// opened with.
package struct Caller: Sendable {
  /// `Bearer …`, or whatever stood there.
  package var authorization: ArraySlice<UInt8>?
  /// The host that the client used.
  package var host: ArraySlice<UInt8>?
  /// Where the client is, as far as that can be relied upon.
  package var address: String?
  /// The request, where the service reads other headers of it.
  private var kept: KeptRequest?

  /// A request is as large as a dozen references. Copying it for each caller took a twentieth of the instructions of
  /// `{ __typename }`.
  private final class KeptRequest: Sendable {
    let request: HTTPRequest
    init(_ request: HTTPRequest) { self.request = request }
  }

  /// The request; nil where the service does not keep it: see `GraphQLService.keepsRequest`.
  package var request: HTTPRequest? { kept?.request }

  package init(authorization: ArraySlice<UInt8>?, host: ArraySlice<UInt8>?, address: String?) {
    self.authorization = authorization
    self.host = host
    self.address = address
  }

  package init(_ request: borrowing HTTPRequest, address: String? = nil, keepsRequest: Bool) {
    authorization = request[.authorization]
    host = request.host
    self.address = address
    if keepsRequest { kept = KeptRequest(copy request) }
  }

  /// The same for a connection that outlives the request. Without the request it holds these few bytes only.
  func forConnection() -> Caller {
    var caller = Caller(
      authorization: authorization.map { Array($0)[...] },
      host: host.map { Array($0)[...] },
      address: address
    )
    caller.kept = kept
    return caller
  }

  /// The same with the authorization of a message in place of the request's.
  func with(authorization: ArraySlice<UInt8>?) -> Caller {
    var caller = self
    caller.authorization = authorization.map { Array($0)[...] }
    return caller
  }
}
