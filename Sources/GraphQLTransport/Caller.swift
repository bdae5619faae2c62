import HTTP

/// Who a request comes from, as far as it says so itself: by its headers, or by what the connection that carries it was
/// opened with.
package struct Caller: Sendable {
  /// `Bearer …`, or whatever stood there.
  package var authorization: ArraySlice<UInt8>?
  /// The host that the client used.
  package var host: ArraySlice<UInt8>?

  package init(authorization: ArraySlice<UInt8>?, host: ArraySlice<UInt8>?) {
    self.authorization = authorization
    self.host = host
  }

  package init(_ request: HTTPRequest) {
    authorization = request[.authorization]
    host = request.host
  }

  /// The same, holding nothing of the request but these few bytes.
  var compact: Caller {
    Caller(authorization: authorization.map { Array($0)[...] }, host: host.map { Array($0)[...] })
  }
}
