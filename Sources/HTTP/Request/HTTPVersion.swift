/// The supported versions (RFC 9112, section 2.3). Any other gets status 505.
package enum HTTPVersion: Sendable, Equatable {
  case http10, http11
}
