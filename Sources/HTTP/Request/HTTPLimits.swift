/// The limits on what a client can send. They bound the memory of each connection. The limits on a head must be at most
/// 2^28 bytes: offsets within it are 32-bit numbers.
package struct HTTPLimits: Sendable, Equatable {
  /// Bytes of the request line without its line end. Beyond it: 414. A GraphQL query can be in the request line.
  package var requestLineBytes = 16 * 1024
  /// Bytes of all header lines with their line ends. Beyond it: 431. Trailers have the same limit.
  package var headerBytes = 32 * 1024
  /// Number of header lines. Beyond it: 431. Trailers have the same limit.
  package var headerCount = 100
  /// Bytes of a body without chunk framing. Beyond it: 413, reported with the head if the length is declared.
  package var bodyBytes = 1024 * 1024
  /// The limit for a body of `multipart/form-data`, if it is larger.
  package var formBytes = 0
  /// Bytes of a body that are read without admission (`RequestParser.Event.wantsAdmission`).
  package var unadmittedBytes = 64 * 1024
  /// Bytes of chunk extensions in a body. They are skipped. Beyond it: 400.
  package var chunkExtensionBytes = 1024
  /// Bytes that a client can send ahead of the current request (pipelining). Beyond it, `RequestParser.wantsInput` is
  /// false, and the server stops reading until it has responded.
  package var pipelinedBytes = 64 * 1024

  package init() {}
}
