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

  package init(authorization: ArraySlice<UInt8>?, host: ArraySlice<UInt8>?, address: String?) {
    self.authorization = authorization
    self.host = host
    self.address = address
  }

  package init(_ request: borrowing HTTPRequest, address: String? = nil) {
    authorization = request[.authorization]
    host = request.host
    self.address = address
  }

  /// The same, holding nothing of the request but these few bytes.
  var compact: Caller {
    Caller(authorization: authorization.map { Array($0)[...] }, host: host.map { Array($0)[...] }, address: address)
  }
}
