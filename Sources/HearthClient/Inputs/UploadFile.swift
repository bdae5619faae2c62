import Foundation

/// A file that is uploaded with a request.
public struct UploadFile: GraphQLInput, Hashable {
  public let name: String
  public let contentType: String
  public let bytes: Data

  public init(name: String, contentType: String = "application/octet-stream", bytes: Data) {
    (self.name, self.contentType, self.bytes) = (name, contentType, bytes)
  }

  public var inputValue: GraphQLInputValue { .upload(self) }
}
