import GraphQL
import HTTP

/// The size from which requests are parsed and coerced on a worker thread, so that other clients of the loop do not
/// wait: parsing 1 MB of JSON takes 5 to 7 ms, and coercing 60,000 values of variables some 10 ms.
enum LargeRequest {
  /// Longer texts are large. A text of this length contains at most 32,000 values.
  static let bytes = 64 * 1024
  /// New documents with more bytes are prepared off the loop. A document of this size takes 0.1 to 0.3 ms to parse,
  /// validate and plan, and one of 38 KB takes 2 ms.
  static let documentBytes = 2 * 1024

  /// Whether a document takes long to prepare. Planning writes the responses to its introspection, which takes a
  /// millisecond for an entire schema.
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
  package static let overloaded = ErrorCode(rawValue: "OVERLOADED")
}
