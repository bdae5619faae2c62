/// An option of a server that has an invalid value.
public struct GraphQLServerOptionsError: Error, CustomStringConvertible, Sendable {
  /// The option's name, its value, and the form that it must have.
  public let description: String
}

extension GraphQLServerOptions {
  /// Rejects values with which the server would not start, or not respond to any request or page.
  func check() throws(GraphQLServerOptionsError) {
    try require(
      path.wholeMatch(of: /(?:\/[^\/\s?#]+)+/) != nil,
      rule: "path must be a path such as /graphql, without a slash at the end, not \"\(path)\"."
    )
    try require((0...65_535).contains(port), rule: "port must be from 0 to 65535, not \(port).")
    try require(threads ?? 1 > 0, rule: "threads must be at least 1, not \(threads ?? 1).")
    try require(bodyBytes > 0, rule: "bodyBytes must be at least 1, not \(bodyBytes).")
    try require(requestsPerBody > 0, rule: "requestsPerBody must be at least 1, not \(requestsPerBody).")
    try require(
      metricsPrefix.wholeMatch(of: /(?:[a-zA-Z_:][a-zA-Z0-9_:]*)?/) != nil,
      rule:
        "metricsPrefix must consist of ASCII letters, digits and _, and not begin with a digit, not \"\(metricsPrefix)\"."
    )
    if let publicURL {
      try require(
        publicURL.wholeMatch(of: /https?:\/\/[^\/\s?#]+(?:\/[^\s?#]*)?/) != nil,
        rule: "publicURL must be a URL such as https://api.example.com, not \"\(publicURL)\"."
      )
    }
    // The order of a set differs between runs.
    for origin in allowedOrigins.sorted() where origin != "*" {
      try require(
        origin.wholeMatch(of: /[a-z][a-z0-9+.\-]*:\/\/[^\/\s?#]+/) != nil,
        rule: """
          allowedOrigins must list origins as https://app.example.com, without a slash at the end, or be *, not \
          "\(origin)".
          """
      )
    }
    for name in allowedHeaders.sorted() {
      try require(
        name.wholeMatch(of: /[A-Za-z0-9_.\-]+/) != nil,
        rule: "allowedHeaders must list names of headers, such as X-Tenant, not \"\(name)\"."
      )
    }
    try checkRoutes()
  }

  private func checkRoutes() throws(GraphQLServerOptionsError) {
    var names: Set<String> = []
    for route in routes {
      try require(
        route.method.wholeMatch(of: /[A-Z][A-Z\-]*/) != nil && route.method != "CONNECT",
        rule: "route must have a method in capital letters, such as POST, not \"\(route.method)\"."
      )
      try require(
        !route.path.isEmpty && route.path.wholeMatch(of: /(?:\/[A-Za-z0-9\-._~!$&'()+,;=:@%]+)*(?:\/\*?)?/) != nil,
        rule: """
          route must have a path such as /webhooks/payments or /covers/*, percent-encoded and without a query, not \
          "\(route.path)".
          """
      )
      try require(
        route.path != path && !route.path.hasPrefix("\(path)/"),
        rule: "route must have a path outside of the endpoint's path \(path), not \(route.path)."
      )
      try require(
        route.bodyBytes ?? 0 >= 0,
        rule: "route must have bodyBytes of at least 0, not \(route.bodyBytes ?? 0)."
      )
      try require(
        names.insert(route.name).inserted,
        rule: "route must be called once for a method and a path, and not again for \(route.name)."
      )
    }
  }

  private func require(_ isValid: Bool, rule: String) throws(GraphQLServerOptionsError) {
    guard isValid else { throw GraphQLServerOptionsError(description: "GraphQLServerOptions." + rule) }
  }
}
