import HTTP

/// In what form a request's body is sent.
extension HTTPRequest {
  /// Whether the body is JSON, and says that it is.
  var isJSON: Bool {
    guard let contentType = self[.contentType], self[.contentEncoding] == nil else { return false }
    if contentType.equals("application/json") { return true }
    guard let type = MediaType(contentType), type.essence == "application/json" else { return false }
    return type["charset"].map { $0.lowercased() == "utf-8" } ?? true
  }

  /// A form's type, which has its boundary; nil where the body is none.
  var form: MediaType? {
    guard let type = self[.contentType].flatMap({ MediaType($0) }), type.essence == "multipart/form-data" else {
      return nil
    }
    return type
  }

  /// A page of another site can make a browser send a form without asking first, but not with such a header.
  var hasPreflightHeader: Bool {
    for name: StaticString in ["graphql-require-preflight", "apollo-require-preflight", "x-apollo-operation-name"] {
      if let value = self[name], !value.isEmpty { return true }
    }
    return false
  }
}
