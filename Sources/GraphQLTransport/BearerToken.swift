import HTTP

extension ArraySlice<UInt8> {
  /// The token of an `Authorization` header (RFC 6750, section 2.1); nil if it has another form.
  package var bearerToken: ArraySlice<UInt8>? {
    guard count > 7, prefix(7).equalsIgnoringCase("bearer ") else { return nil }
    let token = dropFirst(7).drop { $0 == UInt8(ascii: " ") }
    return token.isEmpty ? nil : token
  }
}
