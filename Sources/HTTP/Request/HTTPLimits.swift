/// How much a client may send before it is refused. Each bounds what one connection can make the server hold.
package struct HTTPLimits: Sendable, Equatable {
  /// Bytes of the request line, its line end not counted. Past it: 414. A GraphQL query may come in it.
  package var requestLineBytes: Int
  /// Bytes of all header lines together, line ends counted. Past it: 431. Trailers have the same limit.
  package var headerBytes: Int
  /// Header lines. Past it: 431. Trailers have the same limit.
  package var headerCount: Int
  /// Bytes of a body, chunk framing not counted. Past it: 413, when it is declared if it is declared.
  package var bodyBytes: Int
  /// The same for a body of `multipart/form-data`, where that is more.
  package var formBytes: Int
  /// Bytes of a body that are read without admission (`RequestParser.Event.wantsAdmission`).
  package var unadmittedBytes: Int
  /// Bytes of chunk extensions in a whole body, which carry nothing and are skipped. Past it: 400.
  package var chunkExtensionBytes: Int
  /// Bytes a client may send ahead of the request that is being answered. Past it the parser does not want more
  /// (`RequestParser.wantsInput`), and the server stops reading until it has answered.
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

  /// A head's places are kept as 32-bit numbers: no part of it may come near that.
  private static func within(_ limit: Int) -> Int { max(0, min(limit, 1 << 28)) }
}
