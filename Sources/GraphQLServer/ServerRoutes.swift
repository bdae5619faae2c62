import HTTP

/// A path and a method that the application serves beside the endpoint.
struct ServerRoute: Sendable {
  let method: String
  /// Percent-encoded; everything below a path if it ends with `/*`.
  let path: String
  /// The size of the longest body; nil for that of the endpoint.
  let bodyBytes: Int?
  let respond: @Sendable (RouteRequest) async throws -> RouteResponse

  /// As error reports name it.
  var name: String { "\(method) \(path)" }
}

/// The routes of an application by their paths.
struct ServerRoutes: Sendable {
  /// The routes of one path, by their methods.
  struct Methods: Sendable {
    private let routes: [String: ServerRoute]
    /// As in the header `Allow`.
    let list: String

    init(_ routes: [ServerRoute]) {
      self.routes = Dictionary(routes.map { ($0.method, $0) }) { first, _ in first }
      var names = Set(self.routes.keys)
      names.insert("OPTIONS")
      if names.contains("GET") { names.insert("HEAD") }
      list = names.sorted().joined(separator: ", ")
    }

    subscript(method: String) -> ServerRoute? { routes[method] ?? (method == "HEAD" ? routes["GET"] : nil) }
  }

  private var exact: [[UInt8]: Methods] = [:]
  /// The routes of paths that end with `/*`, the longest first. The prefixes end with the slash.
  private var below: [(prefix: [UInt8], methods: Methods)] = []
  private let endpoint: [UInt8]

  init(_ routes: [ServerRoute], endpoint: String) {
    self.endpoint = Array(endpoint.utf8)
    for (path, routes) in Dictionary(grouping: routes, by: \.path) {
      let bytes = Array(path.utf8)
      if path.hasSuffix("/*") {
        below.append((bytes.dropLast(), Methods(routes)))
      } else {
        exact[bytes] = Methods(routes)
      }
    }
    below.sort { $0.prefix.count > $1.prefix.count }
  }

  var isEmpty: Bool { exact.isEmpty && below.isEmpty }

  /// The routes of the request's path; nil if the application does not serve it. A path that ends with `/*` leaves the
  /// server its own resources, which a route of exactly their path replaces.
  func methods(at path: ArraySlice<UInt8>) -> Methods? {
    if let methods = exact[Array(path)] { return methods }
    // Prefixes are compared with the path, and not its beginnings looked up: a path can have thousands of slashes.
    guard !below.isEmpty, !isOfServer(path) else { return nil }
    return below.first { path.starts(with: $0.prefix) }?.methods
  }

  private func isOfServer(_ path: ArraySlice<UInt8>) -> Bool {
    if path.equals("/health") || path.equals("/ready") || path.equals("/metrics") { return true }
    return path.starts(with: endpoint) && [nil, UInt8(ascii: "/")].contains(path.dropFirst(endpoint.count).first)
  }
}

extension GraphQLServerOptions {
  /// Serves a path beside the endpoint, such as the webhook of another service, or pictures.
  ///
  /// ```swift
  /// options.route("POST", "/webhooks/payments", bodyBytes: 3_000_000) { request in
  ///   try await payments.record(request.body)
  ///   return RouteResponse(202)
  /// }
  /// options.route("GET", "/covers/*") { request in
  ///   RouteResponse(headers: ["Content-Type": "image/png"], body: try await covers.picture(at: request.path))
  /// }
  /// ```
  ///
  /// The closure runs on the loop of its connection, as resolvers, and must not block. A `GraphQLError` that it throws
  /// is the response, with status 401 for the code `UNAUTHENTICATED`, 403 for `FORBIDDEN` and 422 for most others.
  /// Every other error is reported to `onError`, and the client gets status 500. When the client disconnects, the
  /// closure of a `GET`, `HEAD` or `OPTIONS` is cancelled, and every other one is finished.
  ///
  /// Other methods of the path get status 405, and `OPTIONS` the list of its methods. A page of another site can send a
  /// `POST` without being able to read the response: check a signature, or a token that browsers do not send by
  /// themselves.
  ///
  /// - Parameters:
  ///   - method: The method in capital letters, such as `POST`. `GET` is also for `HEAD`.
  ///   - path: The path, percent-encoded and compared byte by byte, which must be outside of the endpoint's path. One
  ///     that ends with `/*` is for all paths below, except for longer paths of other routes, and for `/health`,
  ///     `/ready`, `/metrics` and the endpoint. A path without it replaces the server's own page of that path.
  ///   - bodyBytes: The maximum size of a body in bytes. By default it is the `bodyBytes` of the options. A longer body
  ///     gets status 413.
  ///   - respond: The closure that makes the response.
  public mutating func route(
    _ method: String,
    _ path: String,
    bodyBytes: Int? = nil,
    _ respond: @escaping @Sendable (RouteRequest) async throws -> RouteResponse
  ) {
    routes.append(ServerRoute(method: method, path: path, bodyBytes: bodyBytes, respond: respond))
  }
}
