/// The document in which the scripts of requests run, as a frame of the page.
package enum ScriptFrame {
  /// Its name below the endpoint.
  package static let name = "playground/script-frame.html"

  /// The `Content-Security-Policy` of the document. Its origin is opaque, also when its address is opened by itself: it
  /// has no storage and no access to the page.
  ///
  /// The only script is the document's own, by its hash: `'self'` would let scripts of requests load scripts, and an
  /// address can contain what they have read. They run in a worker, which inherits the policy.
  package static let securityPolicy = """
    default-src 'none'; script-src '\(scriptHash)'; worker-src blob:; connect-src 'none'; \
    base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox allow-scripts
    """

  /// SHA-256 of the text between the document's script tags. A test compares them.
  package static let scriptHash = "sha256-rDvCZGbCYbsu04Rdb9YKtJsZPv2Dwurb38JfB7t1Uug="
}
