import HTTP

extension ArraySlice<UInt8> {
  /// The token of an `Authorization` header (RFC 6750, section 2.1); nil if it has another form.
  var bearerToken: ArraySlice<UInt8>? {
    guard count > 7, prefix(7).equalsIgnoringCase("bearer ") else { return nil }
    return dropFirst(7)
  }
}
