import HTTP

/// Who a request comes from, as far as it says so itself: by its headers, or by what the connection that carries it was
/// opened with.
package struct Caller: Sendable {
  /// `Bearer …`, or whatever stood there.
  package var authorization: ArraySlice<UInt8>?
  /// The host that the client used.
  package var host: ArraySlice<UInt8>?
  /// Where the client is, as far as that can be relied upon. It need not be given for what changes nothing.
  package var address: String?
  /// The request, for services that read other headers of it; nil for a connection whose service does not keep it.
  package var request: HTTPRequest?

  package init(authorization: ArraySlice<UInt8>?, host: ArraySlice<UInt8>?, address: String?) {
    self.authorization = authorization
    self.host = host
    self.address = address
  }

  package init(_ request: HTTPRequest, address: String? = nil) {
    authorization = request[.authorization]
    host = request.host
    self.address = address
    self.request = request
  }

  /// The same for a connection that outlives the request. Without the request it holds these few bytes only.
  func forConnection(keepsRequest: Bool) -> Caller {
    var caller = Caller(
      authorization: authorization.map { Array($0)[...] },
      host: host.map { Array($0)[...] },
      address: address
    )
    if keepsRequest { caller.request = request }
    return caller
  }

  /// The same with the authorization of a message in place of the request's.
  func with(authorization: ArraySlice<UInt8>?) -> Caller {
    var caller = self
    caller.authorization = authorization.map { Array($0)[...] }
    return caller
  }
}
