import HTTP

/// A file that came with a request.
package struct UploadedFile: Sendable {
  /// The bytes of the request where the file lies in them.
  package let content: ArraySlice<UInt8>
}
