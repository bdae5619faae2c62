import HTTP

/// A file of a multipart request.
package struct UploadedFile: Sendable {
  /// A slice of the bytes of the request.
  package let content: ArraySlice<UInt8>
}
