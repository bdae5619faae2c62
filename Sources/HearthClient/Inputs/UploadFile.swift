import Foundation

/// A file that is uploaded with a request.
public struct UploadFile: GraphQLInput, Hashable {
  /// The name that the server receives.
  public let name: String
  /// The media type, such as `image/jpeg`.
  public let contentType: String
  /// The contents.
  public let bytes: Data

  /// Makes a file from its contents.
  public init(name: String, contentType: String = "application/octet-stream", bytes: Data) {
    (self.name, self.contentType, self.bytes) = (name, contentType, bytes)
  }

  public var inputValue: GraphQLInputValue { .upload(self) }
}
