import GraphQL
import HTTP

/// The size from which requests are parsed and coerced on a worker thread, so that other clients of the loop do not
/// wait: parsing 1 MB of JSON takes 5 to 7 ms, and coercing 60,000 values of variables some 10 ms.
enum LargeRequest {
  /// Longer texts are large. A text of this length contains at most 32,000 values.
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
