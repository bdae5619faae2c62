import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The current session. If several requests find the access token expired, it is renewed once.
actor Session {
  /// What a request is sent with.
  struct Snapshot {
    var credentials: Credentials?
    /// The number of calls of `use(_:)`, of pairs that another client has stored, and of sessions that the server has
    /// ended. Renewals by this client do not count. Connections end with their generation.
    var generation = 0
    /// The number of calls of `use(_:)`, and of sign-ins of another client that have ended this client's session: the
    /// member can have changed. While it is the same, a mutation can be sent again, and a subscription keeps its
    /// position.
    var useCount = 0
  }

  private struct Connection {
    weak var response: StreamedResponse?
  }

  private struct Renewal {
    let expired: Credentials
    let task: Task<Credentials?, any Error>
    /// The requests and subscriptions that wait for it.
    var waiting: [AsyncThrowingStream<Credentials?, any Error>.Continuation] = []
  }

  /// What a new request is sent with.
  private(set) var current: Snapshot
  /// The connections of subscriptions.
  private var connections: [Connection] = []
  /// The pauses of subscriptions before they connect again.
  private var pauses: Set<Task<Void, Never>> = []
  private var renewal: Renewal?
  /// The refresh tokens that this client has used since it has found its own pair stored.
  private var used: Set<String> = []
  private let stored: @Sendable () -> Credentials?
  private let didChange: @Sendable (Credentials?) -> Void
  private let wasReplaced: @Sendable (Credentials) -> Void

  var credentials: Credentials? { current.credentials }

  init(
    _ credentials: Credentials?,
    stored: @escaping @Sendable () -> Credentials?,
    didChange: @escaping @Sendable (Credentials?) -> Void,
    wasReplaced: @escaping @Sendable (Credentials) -> Void
  ) {
    current = Snapshot(credentials: credentials)
    self.stored = stored
    self.didChange = didChange
    self.wasReplaced = wasReplaced
  }

  /// Sets the credentials after a sign-in or sign-out by the app.
  func use(_ credentials: Credentials?) {
    current.useCount += 1
    adopt(credentials, mustStore: mustStore(credentials))
  }

  /// A pair of the stored sign-in is not written back. A sign-out leaves what another client has stored by a sign-in of
  /// its own.
  private func mustStore(_ credentials: Credentials?) -> Bool {
    let stored = stored()
    if let credentials { return stored?.isOfSameSignIn(as: credentials) != true }
    guard let own = self.credentials else { return false }
    return stored?.isOfSameSignIn(as: own) != false
  }

  /// Sets credentials that can be those of another member, and ends the connections of subscriptions: events of the
  /// previous member are not for the next one. Their pauses end too: a limit of the previous member is not one of the
  /// next.
  ///
  /// What another client has stored is not written back, because that client can have renewed it since.
  private func adopt(_ credentials: Credentials?, mustStore: Bool = true) {
    current.generation += 1
    for connection in connections { connection.response?.end() }
    connections = []
    for pause in pauses { pause.cancel() }
    pauses = []
    current.credentials = credentials
    used = []
    // The renewal of the previous credentials goes on, but its connection can be lost.
    for continuation in renewal?.waiting ?? [] { continuation.yield(credentials) }
    renewal?.waiting = []
    if mustStore { didChange(credentials) }
  }

  /// Ends the connection of a subscription with its generation, or now if that has ended.
  func add(_ response: StreamedResponse, of generation: Int) {
    guard generation == current.generation else { return response.end() }
    connections.removeAll { $0.response == nil }
    connections.append(Connection(response: response))
  }

  /// Ends the pause of a subscription with its generation, or now if that has ended.
  func add(_ pause: Task<Void, Never>, of generation: Int) {
    guard generation == current.generation else { return pause.cancel() }
    pauses.insert(pause)
    Task {
      await pause.value
      pauses.remove(pause)
    }
  }

  /// Forgets the credentials of a generation, whose session the server has ended, unless a sign-in has replaced them.
  /// They can have been renewed since the request. Returns whether there are other credentials to use now.
  func end(_ generation: Int) -> Bool {
    if generation == current.generation, let ended = credentials, !follow(storedAfter: ended) { adopt(nil) }
    return credentials != nil
  }

  /// Uses what another client has stored, if it is of the same sign-in. Otherwise this client's session ends: what its
  /// user has begun must not be executed as another person. Returns false if nothing else is stored.
  private func follow(storedAfter own: Credentials) -> Bool {
    guard let stored = stored() else { return false }
    if stored.refreshToken == own.refreshToken { used = [] }
    // What this client has renewed is still stored if the app could not store the next pair, as on a locked device.
    guard stored.refreshToken != own.refreshToken, !used.contains(stored.refreshToken) else { return false }
    if stored.isOfSameSignIn(as: own) {
      adopt(stored, mustStore: false)
    } else {
      current.useCount += 1
      adopt(nil, mustStore: false)
      wasReplaced(stored)
    }
    return true
  }

  /// Renews expired credentials. Returns the new ones, or nil if the session has ended.
  func renew(
    _ expired: Credentials,
    by renewing: @escaping @Sendable (Credentials) async throws -> Credentials?
  ) async throws -> Credentials? {
    guard credentials == expired else { return credentials }
    // Not a renewal of credentials that a sign-in has replaced: its result belongs to the previous session.
    if let renewal, renewal.expired == expired { return try await value(of: renewal.task) }
    // Not a child task of the first caller, whose cancellation must not affect the others.
    let task = Task {
      defer { if renewal?.expired == expired { renewal = nil } }
      // The credentials may have been replaced by a sign-in in the meantime.
      guard credentials == expired else { return credentials }
      // Nothing is stored after a sign-out of another client, but also while a keychain is locked: the server knows.
      if follow(storedAfter: expired) { return credentials }
      let renewed = try await renewing(expired)?.asRenewal(of: expired)
      // The same, by a sign-in in this client or in another one.
      if credentials == expired, !follow(storedAfter: expired) {
        used.insert(expired.refreshToken)
        current.credentials = renewed
        didChange(renewed)
      }
      return credentials
    }
    renewal = Renewal(expired: expired, task: task)
    return try await value(of: task)
  }

  /// What the current renewal returns, or the credentials that replace the renewed ones before. Ends with the calling
  /// task, which the renewal outlives.
  private func value(of task: Task<Credentials?, any Error>) async throws -> Credentials? {
    let (results, continuation) = AsyncThrowingStream.makeStream(of: Credentials?.self)
    renewal?.waiting.append(continuation)
    Task {
      do {
        continuation.yield(try await task.value)
      } catch {
        continuation.finish(throwing: error)
      }
    }
    for try await credentials in results { return credentials }
    throw HearthError.unreachable(URLError(.cancelled))
  }
}
