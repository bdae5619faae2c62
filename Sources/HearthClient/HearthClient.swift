import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A client of a Hearth server: queries, mutations with files, subscriptions, and the session.
///
/// It also works with other GraphQL servers, with these limits: it renews an expired token with Hearth's mutation
/// `refreshSession(refreshToken:)`, it sends no headers of your own, and a subscription resumes only on a server with
/// positions. Pass `retriesMutations: false` for a server that ignores the header `Idempotency-Key`.
public final class HearthClient: Sendable {
  /// The URL of the GraphQL endpoint.
  public let endpoint: URL
  private let session: Session
  private let network: URLSession
  private let retriesMutations: Bool

  /// Makes a client. It connects with its first operation.
  ///
  /// - Parameters:
  ///   - endpoint: The URL of the endpoint, such as `https://family.example/graphql`.
  ///   - credentials: The stored credentials of an earlier session, if any.
  ///   - retriesMutations: Whether a mutation is sent again whose response is lost, or which the server could not
  ///     execute. It is sent with the same `Idempotency-Key`, so that a server that supports it, such as Hearth,
  ///     executes the mutation once. Pass false for a server that does not, such as one of `GraphQLServer`: a mutation
  ///     is then sent once, without a key.
  ///   - credentialsDidChange: Called with new credentials, which the app must store, and with nil when the session has
  ///     ended. Not called with what `storedCredentials` has returned, nor by `use(nil)` if that is of
  ///     another sign-in.
  ///   - sessionWasReplaced: Called when another client that shares `storedCredentials` has signed in, with what it has
  ///     stored. This client has no session then, because the tokens can be another person's: requests and
  ///     subscriptions throw `HearthError.signedOut`. Pass them to `use(_:)` to continue as that person.
  ///   - storedCredentials: Returns what `credentialsDidChange` has stored last. Pass it if several clients share this,
  ///     such as those of an app and its widget: each then uses the tokens that another one has renewed. Without it,
  ///     the second of them uses the refresh token again, which ends the session.
  public init(
    endpoint: URL,
    credentials: Credentials? = nil,
    retriesMutations: Bool = true,
    credentialsDidChange: @escaping @Sendable (Credentials?) -> Void = { _ in },
    sessionWasReplaced: @escaping @Sendable (Credentials) -> Void = { _ in },
    // Last, because it has no parameter: in Swift 5 mode, a trailing closure without a label is the last one whose type
    // fits, and apps pass `credentialsDidChange` so.
    storedCredentials: @escaping @Sendable () -> Credentials? = { nil }
  ) {
    self.endpoint = endpoint
    self.retriesMutations = retriesMutations
    session = Session(
      credentials,
      stored: storedCredentials,
      didChange: credentialsDidChange,
      wasReplaced: sessionWasReplaced
    )
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpCookieStorage = nil
    network = URLSession(configuration: configuration)
  }

  // MARK: Session

  /// The tokens of the current session. Nil if nobody is signed in.
  public var credentials: Credentials? { get async { await session.credentials } }

  /// Sets the credentials after a sign-in, or nil after a sign-out. Subscriptions connect again with them, without the
  /// position of the previous member. A mutation that was sent before, and whose token the server rejects, is not sent
  /// again, because it would be executed as the next member: it throws `HearthError.signedOut`.
  public func use(_ credentials: Credentials?) async { await session.use(credentials) }

  // MARK: Operations

  /// Sends a query and returns its data. Throws if the response has any error.
  public func fetch<Query: GraphQLQuery>(_ query: Query) async throws(HearthError) -> Query.Data {
    try await response(to: query).get()
  }

  /// Sends a mutation and returns its data. Throws if the response has any error.
  ///
  /// A mutation whose response is lost is sent again, at most three times, with the same `Idempotency-Key`. A server
  /// that supports the header executes it once. Other servers can execute it several times: pass
  /// `retriesMutations: false` to the client's initializer for them.
  public func perform<Mutation: GraphQLMutation>(_ mutation: Mutation) async throws(HearthError) -> Mutation.Data {
    try await response(to: mutation).get()
  }

  /// The events of a subscription. It connects when it is iterated, reconnects when the connection breaks, and resumes
  /// after the last event that it received. If it throws with the code `FEED_GAP`, `RIGHTS_CHANGED` or
  /// `EVENTS_TOO_FAST`, subscribe and load everything again.
  ///
  /// - Parameters:
  ///   - operation: The subscription.
  ///   - connectionDidChange: Called with true when the subscription has begun, and with false when it is interrupted,
  ///     or cannot begin, and is tried again. Also called with false when a connected subscription ends with an error.
  public func subscribe<Operation: GraphQLSubscription>(
    to operation: Operation,
    connectionDidChange: @escaping @Sendable (_ isConnected: Bool) -> Void = { _ in }
  ) -> SubscriptionEvents<Operation> {
    SubscriptionEvents(client: self, operation: operation, connectionDidChange: connectionDidChange)
  }

  /// The complete response, which can contain both data and errors.
  public func response<Operation: GraphQLOperation>(
    to operation: Operation
  ) async throws(HearthError) -> GraphQLResponse<Operation.Data> {
    let key = Operation.self is any GraphQLMutation.Type ? newKey : nil
    let current = await session.current
    let (first, isReplaced) = try await response(to: operation, with: current, idempotencyKey: key)
    guard isReplaced, !first.isExecuted, let next = await next(after: current, for: Operation.self)
    else { return first }
    return try await response(to: operation, with: next, idempotencyKey: key).response
  }

  /// The response, and whether its session has ended, but there are other credentials now that can be used.
  private func response<Operation: GraphQLOperation>(
    to operation: Operation,
    with first: Session.Snapshot,
    idempotencyKey key: String?
  ) async throws(HearthError) -> (response: GraphQLResponse<Operation.Data>, isReplaced: Bool) {
    var current = first
    var answer = try await deliver(operation, credentials: current.credentials, idempotencyKey: key)
    for _ in 0..<Self.maximumRenewals {
      guard answer.hasExpired, let expired = current.credentials,
        try await renew(expired, for: Operation.self) != nil,
        let next = await next(after: current, for: Operation.self)
      else { break }
      current = next
      answer = try await deliver(operation, credentials: current.credentials, idempotencyKey: key)
    }
    guard answer.errors.contains(where: \.endsSession) else { return (answer, false) }
    return (answer, await session.end(current.generation))
  }

  /// What an operation is sent again with. Nil for a mutation after a sign-in or sign-out: it would be executed as the
  /// next member.
  private func next<Operation: GraphQLOperation>(
    after previous: Session.Snapshot,
    for operation: Operation.Type
  ) async -> Session.Snapshot? {
    let current = await session.current
    return operation is any GraphQLMutation.Type && current.useCount != previous.useCount ? nil : current
  }

  /// What a new request is sent with.
  var current: Session.Snapshot { get async { await session.current } }

  /// Ends the connection of a subscription with its generation.
  func add(_ connection: StreamedResponse, of generation: Int) async { await session.add(connection, of: generation) }

  /// Ends the pause of a subscription with its generation.
  func add(_ pause: Task<Void, Never>, of generation: Int) async { await session.add(pause, of: generation) }

  /// The server has ended the session of a generation. Returns whether there are other credentials to use now.
  func endSession(of generation: Int) async -> Bool { await session.end(generation) }

  /// Consecutive renewals: a device that was asleep can find a token expired that it has just received.
  static let maximumRenewals = 3

  func renew<Operation: GraphQLOperation>(
    _ expired: Credentials,
    for operation: Operation.Type
  ) async throws(HearthError) -> Credentials? {
    do {
      return try await session.renew(expired) { [self] in
        let refresh = RefreshSession<Operation>(refreshToken: $0.refreshToken)
        let key = retriesMutations ? $0.renewalKey : nil
        let response = try await deliver(refresh, credentials: nil, idempotencyKey: key)
        // Rejected credentials are not a failure: the session has ended. An error is one, such as of the network, or
        // of a server that cannot store anything at the moment.
        return response.isSpent ? nil : try response.get().refreshSession.credentials
      }
    } catch let error as HearthError {
      throw error
    } catch {
      throw .unexpectedData("\(error)")
    }
  }

  /// The idempotency key of a mutation; nil if mutations are not repeated.
  private var newKey: String? { retriesMutations ? UUID().uuidString : nil }

  /// The delays before a mutation is sent again whose response was lost, or which the server could not execute.
  private static let repetitionDelays: [Duration] = [.milliseconds(200), .seconds(1), .seconds(3)]

  /// Sends an operation, and sends it again if it has an idempotency key and its response was lost or the server is not
  /// available. The key makes the server execute it once.
  private func deliver<Operation: GraphQLOperation>(
    _ operation: Operation,
    credentials: Credentials?,
    idempotencyKey: String?
  ) async throws(HearthError) -> GraphQLResponse<Operation.Data> {
    guard let idempotencyKey else { return try await send(operation, credentials: credentials, idempotencyKey: nil) }
    for delay in Self.repetitionDelays {
      do throws(HearthError) {
        let response: GraphQLResponse<Operation.Data> = try await send(
          operation,
          credentials: credentials,
          idempotencyKey: idempotencyKey
        )
        guard response.isStillRunning || response.isUnavailable else { return response }
      } catch {
        guard error.isLostResponse else { throw error }
      }
      do {
        try await Task.sleep(for: delay)
      } catch {
        throw .unreachable(URLError(.cancelled))
      }
    }
    return try await send(operation, credentials: credentials, idempotencyKey: idempotencyKey)
  }

  private func send<Operation: GraphQLOperation>(
    _ operation: Operation,
    credentials: Credentials?,
    idempotencyKey: String?
  ) async throws(HearthError) -> GraphQLResponse<Operation.Data> {
    var request = try self.request(
      operation,
      credentials: credentials,
      accept: "application/graphql-response+json, application/json"
    )
    if let idempotencyKey { request.setValue("\"\(idempotencyKey)\"", forHTTPHeaderField: "Idempotency-Key") }
    let (bytes, response): (Data, URLResponse)
    do {
      // On Linux, `URLSession` can send the request of a task that is already cancelled.
      try Task.checkCancellation()
      (bytes, response) = try await network.data(for: request)
    } catch {
      throw .unreachable(error as? URLError ?? URLError(error is CancellationError ? .cancelled : .unknown))
    }
    return try Self.decode(bytes, response: response)
  }

  static func decode<Data>(
    _ bytes: Foundation.Data,
    response: URLResponse?
  ) throws(HearthError) -> GraphQLResponse<Data> {
    let http = response as? HTTPURLResponse
    guard http?.value(forHTTPHeaderField: "Content-Type")?.contains("json") == true else {
      throw .notGraphQL(status: http?.statusCode ?? 0, body: bytes)
    }
    do {
      var decoded = try GraphQLResponse<Data>.decode(bytes)
      decoded.isUnavailable = http?.statusCode == 503
      return decoded
    } catch {
      throw .unexpectedData("\(error)")
    }
  }

  /// The request of an operation. Throws if its variables cannot be encoded, such as a number that is not finite.
  func request<Operation: GraphQLOperation>(
    _ operation: Operation,
    credentials: Credentials?,
    accept: String,
    position: String? = nil
  ) throws(HearthError) -> URLRequest {
    let body: RequestBody
    do {
      body = try RequestBody(operation, position: position)
    } catch {
      throw .unexpectedData("\(error)")
    }
    var request = URLRequest(url: endpoint)
    request.httpMethod = "POST"
    request.httpBody = body.bytes
    request.setValue(body.contentType, forHTTPHeaderField: "Content-Type")
    request.setValue(accept, forHTTPHeaderField: "Accept")
    // Any web page can send forms, but not with this header.
    if body.hasFiles { request.setValue("1", forHTTPHeaderField: "GraphQL-Require-Preflight") }
    if let token = credentials?.accessToken { request.setValue("Bearer " + token, forHTTPHeaderField: "Authorization") }
    return request
  }
}

/// The operation that the client uses itself. It is named by its SHA-256 if the operation is for which it renews.
private struct RefreshSession<Operation: GraphQLOperation>: GraphQLMutation {
  static var operationName: String { "RefreshSession" }
  static var document: String {
    """
    mutation RefreshSession($refreshToken: String!) {
      refreshSession(refreshToken: $refreshToken) { credentials { accessToken refreshToken expiresAt } }
    }
    """
  }
  static var documentID: String? {
    Operation.documentID.map { _ in "05711f025214fd1558a0278724700321772fdf9fae3a3c05ba335172d2e197fa" }
  }

  let refreshToken: String
  var variables: [GraphQLInputField] { [GraphQLInputField("refreshToken", refreshToken)] }

  struct Data: Decodable, Sendable {
    struct Payload: Decodable, Sendable { let credentials: Credentials? }
    let refreshSession: Payload
  }
}
