/// The limits on what a client can send. They bound the memory of each connection.
package struct HTTPLimits: Sendable, Equatable {
  /// Bytes of the request line without its line end. Beyond it: 414. A GraphQL query can be in the request line.
  package var requestLineBytes: Int
  /// Bytes of all header lines with their line ends. Beyond it: 431. Trailers have the same limit.
  package var headerBytes: Int
  /// Number of header lines. Beyond it: 431. Trailers have the same limit.
  package var headerCount: Int
  /// Bytes of a body without chunk framing. Beyond it: 413, reported with the head if the length is declared.
  package var bodyBytes: Int
  /// The limit for a body of `multipart/form-data`, if it is larger.
  package var formBytes: Int
  /// Bytes of a body that are read without admission (`RequestParser.Event.wantsAdmission`).
  package var unadmittedBytes: Int
  /// Bytes of chunk extensions in a body. They are skipped. Beyond it: 400.
  package var chunkExtensionBytes: Int
  /// Bytes that a client can send ahead of the current request (pipelining). Beyond it, `RequestParser.wantsInput` is
  /// false, and the server stops reading until it has responded.
  package var pipelinedBytes: Int

  package init(
    requestLineBytes: Int = 16 * 1024,
    headerBytes: Int = 32 * 1024,
    headerCount: Int = 100,
    bodyBytes: Int = 1024 * 1024,
    formBytes: Int = 0,
    unadmittedBytes: Int = 64 * 1024,
    chunkExtensionBytes: Int = 1024,
    pipelinedBytes: Int = 64 * 1024
  ) {
    self.requestLineBytes = Self.within(requestLineBytes)
    self.headerBytes = Self.within(headerBytes)
    self.headerCount = Self.within(headerCount)
    self.bodyBytes = max(0, min(bodyBytes, 1 << 40))
    self.formBytes = max(0, min(formBytes, 1 << 40))
    self.unadmittedBytes = max(0, min(unadmittedBytes, 1 << 40))
    self.chunkExtensionBytes = Self.within(chunkExtensionBytes)
    self.pipelinedBytes = Self.within(pipelinedBytes)
  }

  /// Offsets within a head are 32-bit numbers, so no part of it can come near that size.
  private static func within(_ limit: Int) -> Int { max(0, min(limit, 1 << 28)) }
}
