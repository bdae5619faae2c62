import HTTP

/// The form of an Authorization header with a token (RFC 6750, section 2.1).
enum BearerToken {
  private static let scheme: StaticString = "bearer "

  /// The length of the token, which is at the end of the header's value; nil if the value has another form.
  static func length(in value: UnsafeRawBufferPointer) -> Int? {
    let prefix = scheme.utf8CodeUnitCount
    guard value.count > prefix, UnsafeRawBufferPointer(rebasing: value[..<prefix]).equalsIgnoringCase(scheme) else {
      return nil
    }
    var start = prefix
    while start < value.count, value[start] == UInt8(ascii: " ") { start += 1 }
    return start == value.count ? nil : value.count - start
  }
}
