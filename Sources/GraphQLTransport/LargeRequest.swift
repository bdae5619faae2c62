import GraphQL
import HTTP

/// What is large enough to be read and coerced off the loop, so that nobody else on it waits: 1 MB of JSON takes 5 to 7
/// ms to read, and 60,000 values of variables some 10 ms to coerce.
enum LargeRequest {
  /// Texts with more bytes are large. One of as many has at most 32,000 values.
  static let bytes = 64 * 1024
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
