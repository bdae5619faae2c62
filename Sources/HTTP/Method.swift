/// A request method (RFC 9110, section 9). What Hearth has no use for is `.other`.
package enum Method: UInt8, Sendable {
  case get, head, post, options, other
}
