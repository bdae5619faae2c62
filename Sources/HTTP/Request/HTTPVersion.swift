/// The supported versions (RFC 9112, section 2.3). Another major version gets status 505.
package enum HTTPVersion: Sendable, Equatable {
  case http10
  /// HTTP/1.1, and the later minor versions, which are compatible with it (RFC 9110, section 2.5).
  case http11
}
