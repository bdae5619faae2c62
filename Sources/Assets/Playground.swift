import CAssets

extension Asset {
  /// The page at `GET /graphql`. A server with demo data serves `demonstrationPage(people:)` in its place.
  package static let playgroundPage = Asset(
    path: "/graphql",
    mediaType: "text/html; charset=utf-8",
    file: embedded_playground_page
  )

  /// The page's entry module; what it imports are `playgroundModules`.
  package static let playgroundScript = script("playground", embedded_playground_script)

  package static let playgroundStyle = Asset(
    path: "/graphql/playground.css",
    mediaType: "text/css; charset=utf-8",
    file: embedded_playground_style
  )

  package static let playgroundIcon = Asset(
    path: "/graphql/playground.svg",
    mediaType: "image/svg+xml",
    file: embedded_playground_icon
  )

  /// The scripts that the page or its entry module refers to.
  package static let playgroundModules = [
    script("playground/editor", embedded_playground_editor),
    script("playground/examples", embedded_playground_examples),
    script("playground/highlight", embedded_playground_highlight),
    script("playground/memory", embedded_playground_memory),
    script("playground/operations", embedded_playground_operations),
    script("playground/result", embedded_playground_result),
    script("playground/schema", embedded_playground_schema),
    script("playground/session", embedded_playground_session),
    script("playground/sign-in", embedded_playground_sign_in),
    script("playground/theme", embedded_playground_theme),
    script("playground/transport", embedded_playground_transport),
  ]

  /// The API's schema, as it is written in `schema.graphql`.
  package static let schema = Asset(
    path: "/graphql/schema.graphql",
    // `application/graphql` has been a request's body in the field; as text, a browser shows it instead of saving it.
    mediaType: "text/plain; charset=utf-8",
    file: embedded_schema
  )

  /// Every asset, each to be served under its own `path`.
  package static let all =
    [playgroundPage, playgroundScript, playgroundStyle, playgroundIcon, schema] + playgroundModules

  /// The `Content-Security-Policy` that the page is written for: nothing inline, nothing from elsewhere.
  package static let playgroundSecurityPolicy = """
    default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; \
    base-uri 'none'; form-action 'none'; frame-ancestors 'none'
    """

  private static func script(_ name: String, _ file: EmbeddedFile) -> Asset {
    Asset(path: "/graphql/\(name).js", mediaType: "text/javascript; charset=utf-8", file: file)
  }
}
