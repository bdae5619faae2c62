import HTTP

/// The format of a request's body.
extension HTTPRequest {
  /// Whether Content-Type declares a body of uncompressed JSON in UTF-8.
  var isJSON: Bool {
    if isCompressed { return false }
    if has(.contentType, "application/json") { return true }
    guard let type = self[.contentType].flatMap({ MediaType($0) }), type.essence == "application/json" else {
      return false
    }
    return type["charset"].map { $0.lowercased() == "utf-8" } ?? true
  }

  /// The media type of an uncompressed multipart form, with its boundary; nil for other bodies.
  var form: MediaType? {
    guard !isCompressed, let type = self[.contentType].flatMap({ MediaType($0) }),
      type.essence == "multipart/form-data"
    else { return nil }
    return type
  }

  /// Whether the body is the form of a page, which has no files.
  var isFormOfPage: Bool {
    self[.contentType].flatMap { MediaType($0) }?.essence == "application/x-www-form-urlencoded"
  }

  /// Whether the body has a content coding other than `identity`, which clients may name although it is reserved for
  /// Accept-Encoding (RFC 9110, section 8.4.1).
  private var isCompressed: Bool {
    has(.contentEncoding) && !(onlyValue(of: .contentEncoding)?.equalsIgnoringCase("identity") ?? false)
  }

  /// Whether the request has a header that requires a CORS preflight. A page of another origin can make a browser send
  /// a form without a preflight, but not with such a header.
  var hasPreflightHeader: Bool {
    for name: StaticString in ["graphql-require-preflight", "apollo-require-preflight", "x-apollo-operation-name"] {
      if let value = self[name], !value.isEmpty { return true }
    }
    return false
  }
}
