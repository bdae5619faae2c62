/// An option of a server that has an invalid value.
public struct GraphQLServerOptionsError: Error, CustomStringConvertible, Sendable {
  /// The option's name, its value, and the form that it must have.
  public let description: String
}

extension GraphQLServerOptions {
  /// Rejects values with which the server would start, but not respond to any request or page.
  func check() throws(GraphQLServerOptionsError) {
    guard path.wholeMatch(of: /(?:\/[^\/\s?#]+)+/) != nil else {
      throw GraphQLServerOptionsError(
        description: """
          GraphQLServerOptions.path must be a path such as /graphql, without a slash at the end, \
          not "\(path)".
          """
      )
    }
    // The order of a set differs between runs.
    for origin in allowedOrigins.sorted() where origin != "*" {
      guard origin.wholeMatch(of: /[a-z][a-z0-9+.\-]*:\/\/[^\/\s?#]+/) != nil else {
        throw GraphQLServerOptionsError(
          description: """
            GraphQLServerOptions.allowedOrigins must list origins as https://app.example.com, without a slash at the \
            end, or be *, not "\(origin)".
            """
        )
      }
    }
  }
}
