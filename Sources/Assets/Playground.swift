extension Asset {
  /// The page at `GET /graphql`. A server with demo data serves `demonstrationPage(people:)` in its place.
  package static let playgroundPage = asset("/graphql")

  /// The API's schema, as it is written in `schema.graphql`.
  package static let schema = asset("/graphql/schema.graphql")

  /// The `Content-Security-Policy` that the page is written for: nothing inline, nothing from elsewhere.
  package static let playgroundSecurityPolicy = """
    default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; \
    base-uri 'none'; form-action 'none'; frame-ancestors 'none'
    """

  private static func asset(_ path: String) -> Asset {
    guard let asset = all.first(where: { $0.path == path }) else { preconditionFailure("CAssets.c has no \(path)") }
    return asset
  }
}
