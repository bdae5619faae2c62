import GraphQL

/// A file that a client has sent with a request, as `multipart/form-data`.
///
/// ```swift
/// let photo: Upload = try request.arguments["photo"]
/// try await request.context.photos.store(photo.content)
/// ```
public struct Upload: Sendable {
  /// The bytes of the file.
  public let content: [UInt8]

  /// The name that the client states, with its escapes; `nil` if it states none. Never use it as a path.
  public let fileName: String?

  /// The media type that the client states, which nothing has verified; `nil` if it states none.
  public let contentType: String?

  /// Creates a file for an operation that a `GraphQLExecutor` executes.
  public init(content: [UInt8], fileName: String? = nil, contentType: String? = nil) {
    self.content = content
    self.fileName = fileName
    self.contentType = contentType
  }
}

extension Upload: Decodable {
  /// Decodes the file of an argument, or of a field of an input object.
  ///
  /// - Throws: `DecodingError` when the value is not a file, or is not an argument of a request.
  public init(from decoder: any Decoder) throws {
    guard let decoder = decoder as? InputDecoder else {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "Only an argument can be an upload.")
      )
    }
    let files = decoder.references.files
    guard let index = decoder.value.upload, files.indices.contains(index) else {
      throw decoder.mismatch(Upload.self, expected: "a file of a multipart request")
    }
    self = files[index]
  }
}

extension GraphQLSchema {
  /// Represents a custom scalar by the files of multipart requests, which resolvers read as `Upload`.
  ///
  /// A client sends a file as a variable (GraphQL multipart request specification). Any other value is rejected before
  /// a resolver runs.
  ///
  /// ```swift
  /// schema.upload("Upload")
  /// ```
  ///
  /// - Parameter name: The name of the scalar in the schema.
  public mutating func upload(_ name: String) {
    scalars.byName[name] = .file(named: name)
    scalars.register(name, Upload.self)
  }
}
