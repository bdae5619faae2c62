/// The versions spoken here (RFC 9112, section 2.3). Any other is answered 505.
package enum HTTPVersion: Sendable, Equatable {
  case http10, http11
}
