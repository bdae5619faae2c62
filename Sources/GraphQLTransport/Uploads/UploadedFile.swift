import HTTP

/// A file of a multipart request.
package struct UploadedFile: Sendable {
  /// A slice of the bytes of the request.
  package let content: ArraySlice<UInt8>
  /// The client's name of the file, with its escapes. Never use it as a path.
  package let name: String?
  /// The media type that the client states.
  package let contentType: String?
}
