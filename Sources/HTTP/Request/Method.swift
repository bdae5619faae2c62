/// A request method (RFC 9110, section 9). Methods that the server does not use are `.other`.
package enum Method: UInt8, Sendable {
  case get, head, post, options, other

  /// Methods are case-sensitive: `get` is not GET.
  init(_ text: UnsafeRawBufferPointer) {
    if text.equals("POST") {
      self = .post
    } else if text.equals("GET") {
      self = .get
    } else if text.equals("OPTIONS") {
      self = .options
    } else if text.equals("HEAD") {
      self = .head
    } else {
      self = .other
    }
  }
}
