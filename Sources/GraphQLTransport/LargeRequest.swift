import GraphQL
import HTTP

/// What is large enough to be read and coerced off the loop, so that nobody else on it waits: 1 MB of JSON takes 5 to 7
/// ms to read, and 60,000 values of variables some 10 ms to coerce.
enum LargeRequest {
  /// Texts with more bytes are large. One of as many has at most 32,000 values.
  static let bytes = 64 * 1024
  /// New documents with more bytes are prepared off the loop. One of as many takes 0.1 to 0.3 ms to parse, validate and
  /// plan, and one of 38 KB takes 2 ms.
  static let documentBytes = 2 * 1024

  /// Whether a document takes long to prepare. The responses to its introspection are written with its plan, which
  /// takes a millisecond for a whole schema.
  static func takesLongToPrepare(_ document: [UInt8]) -> Bool {
    document.count > documentBytes || IntrospectionText.isMentioned(in: document)
  }
}

extension GivenVariables {
  var isLarge: Bool { textBytes > LargeRequest.bytes }
}

extension GraphQLError {
  static let overloaded = GraphQLError("The server has too many large requests. Try again later.", code: .overloaded)
}

extension ErrorCode {
  static let overloaded = ErrorCode(rawValue: "OVERLOADED")
}
