import Testing

/// A client: a connection and, once signed in, an access token.
struct Client: Sendable {
  let http: HTTPClient
  var token: String?

  /// `address` is the client address that a proxy in front of the server sends.
  init(port: Int, token: String? = nil, from address: String? = nil) {
    http = HTTPClient(port: port, from: address)
    self.token = token
  }

  /// The same person on another connection.
  var another: Client { Client(port: http.port, token: token) }

  func with(token: String?) -> Client {
    var client = self
    client.token = token
    return client
  }

  func post(_ document: String, _ variables: Value? = nil, operationName: String? = nil) async throws -> HTTPAnswer {
    var request: Value = ["query": .string(document)]
    if let variables { request = request.setting("variables", variables) }
    if let operationName { request = request.setting("operationName", .string(operationName)) }
    return try await http.post(request.text, headers: token.map { [("Authorization", "Bearer \($0)")] } ?? [])
  }

  /// The complete response to a request that can be executed.
  func ask(_ document: String, _ variables: Value? = nil) async throws -> Value {
    let answer = try await post(document, variables)
    try #require(answer.isExecuted, "\(answer.text)")
    return try Value(answer.body)
  }

  /// The result of the only mutation of a document.
  func perform(_ document: String, _ variables: Value? = nil) async throws -> Outcome {
    try Outcome(try await ask(document, variables), of: document)
  }
}

extension Client {
  /// The names of all items of the caller's family.
  func itemNames() async throws -> [String] {
    var names: [String] = []
    var after: Value = nil
    repeat {
      let page = try await ask(
        """
        query ($after: String) { family { items(first: 100, after: $after) {
          nodes { name } pageInfo { hasNextPage endCursor } } } }
        """,
        ["after": after]
      )["data.family.items"]
      names += page["nodes"].each("name").compactMap(\.string)
      after = page["pageInfo.hasNextPage"] == true ? page["pageInfo.endCursor"] : nil
    } while after != .null
    return names
  }
}

/// The result of a mutation.
struct Outcome: Equatable, Sendable {
  let payload: Value
  let errors: Value

  /// Reads a complete response to `document`, which has one mutation.
  init(_ response: Value, of document: String) throws {
    errors = response["errors"]
    guard case .object(let members) = response["data"] else {
      payload = .null
      return
    }
    try #require(members.count == 1, "\(response)")
    payload = members.values.first ?? .null
    MutationErrors.check(payload, of: document)
  }

  subscript(_ path: String) -> Value { payload[path] }

  /// Each user error as `input.name BLANK`, sorted, because their order is not significant. Without a payload the codes
  /// of the response's errors: `[]` means that the mutation has succeeded.
  var userErrors: [String] {
    guard payload != .null else { return codes.isEmpty ? ["no payload"] : codes }
    return payload["userErrors"].list.map { error in
      error["field"].strings.joined(separator: ".") + " " + (error["code"].string ?? "")
    }.sorted()
  }

  /// The same with the reason of each user error that has one: `input.name INVALID CONTROL_CHARACTERS`.
  var userErrorReasons: [String] {
    payload["userErrors"].list.map { error in
      let field = error["field"].strings.joined(separator: ".")
      return ([field] + ["code", "reason"].compactMap { error[$0].string }).joined(separator: " ")
    }.sorted()
  }

  /// The codes of the response's errors.
  var codes: [String] { errors.each("extensions.code").compactMap(\.string) }
}
