import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The tokens of a session. Store them in the system's keychain, and pass them to the next `HearthClient`.
public struct Credentials: Codable, Hashable, Sendable {
  /// Authenticates requests, for minutes. The client renews it.
  public let accessToken: String
  /// Returns the next tokens. It can be used once.
  public let refreshToken: String
  /// The idempotency key of the renewal, which is random. An app that was ended during a renewal can repeat it with the
  /// same key. With another one, this counts as theft of the refresh token.
  public let renewalKey: String

  /// Makes credentials from the tokens of a sign-in, or from stored ones. Pass the key only with the tokens for which
  /// it was made.
  public init(accessToken: String, refreshToken: String, renewalKey: String = UUID().uuidString) {
    (self.accessToken, self.refreshToken, self.renewalKey) = (accessToken, refreshToken, renewalKey)
  }

  /// Decodes stored credentials. Those of earlier versions, and those of a response, have no key yet.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      accessToken: try container.decode(String.self, forKey: .accessToken),
      refreshToken: try container.decode(String.self, forKey: .refreshToken),
      renewalKey: try container.decodeIfPresent(String.self, forKey: .renewalKey) ?? UUID().uuidString
    )
  }

  /// Whether the tokens are the same.
  public static func == (one: Credentials, other: Credentials) -> Bool {
    one.accessToken == other.accessToken && one.refreshToken == other.refreshToken
  }

  /// Hashes the tokens.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(accessToken)
    hasher.combine(refreshToken)
  }
}

/// The current session. If several requests find the access token expired, it is renewed once.
actor Session {
  private struct Connection {
    weak var response: StreamedResponse?
  }

  private(set) var credentials: Credentials?
  /// The number of sign-ins and sign-outs, and of pairs that another client has stored. Renewals do not count.
  private var turn = 0
  /// The number of calls of `use(_:)`. A pair that another client has stored does not count.
  private var uses = 0
  /// The connections of subscriptions.
  private var connections: [Connection] = []
  /// The pauses of subscriptions before they connect again.
  private var pauses: Set<Task<Void, Never>> = []
  private var renewal: (expired: Credentials, task: Task<Credentials?, any Error>)?
  private let stored: @Sendable () -> Credentials?
  private let didChange: @Sendable (Credentials?) -> Void

  init(
    _ credentials: Credentials?,
    stored: @escaping @Sendable () -> Credentials?,
    didChange: @escaping @Sendable (Credentials?) -> Void
  ) {
    self.credentials = credentials
    self.stored = stored
    self.didChange = didChange
  }

  /// Sets the credentials after a sign-in or sign-out by the app.
  func use(_ credentials: Credentials?) {
    uses += 1
    adopt(credentials)
  }

  /// Sets credentials that can be those of another member, and ends the connections of subscriptions: events of the
  /// previous member are not for the next one. Their pauses end too: a limit of the previous member is not one of the
  /// next.
  private func adopt(_ credentials: Credentials?) {
    turn += 1
    for connection in connections { connection.response?.end() }
    connections = []
    for pause in pauses { pause.cancel() }
    pauses = []
    set(credentials)
  }

  private func set(_ credentials: Credentials?) {
    self.credentials = credentials
    didChange(credentials)
  }

  /// What a new request is sent with: the credentials, their turn, which a sign-in or sign-out ends, and the number of
  /// calls of `use(_:)`, which is the same for as long as the app has not signed in another member.
  typealias Current = (credentials: Credentials?, turn: Int, uses: Int)

  var current: Current { (credentials, turn, uses) }

  /// Ends the connection of a subscription with its turn, or now if that has ended.
  func add(_ response: StreamedResponse, of turn: Int) {
    guard turn == self.turn else { return response.end() }
    connections.removeAll { $0.response == nil }
    connections.append(Connection(response: response))
  }

  /// Ends the pause of a subscription with its turn, or now if that has ended.
  func add(_ pause: Task<Void, Never>, of turn: Int) {
    guard turn == self.turn else { return pause.cancel() }
    pauses.insert(pause)
    Task {
      await pause.value
      pauses.remove(pause)
    }
  }

  /// Forgets the credentials of a turn, whose session the server has ended, unless a sign-in has replaced them. They
  /// can have been renewed since the request. Returns whether another client has stored others, which are used now.
  func end(_ turn: Int) -> Bool {
    guard turn == self.turn, let ended = credentials else { return credentials != nil && stored() != nil }
    if useStored(otherThan: ended) { return true }
    adopt(nil)
    return false
  }

  /// Uses what another client has stored. It can be of another sign-in, so subscriptions connect again with it.
  private func useStored(otherThan own: Credentials) -> Bool {
    guard let stored = stored(), stored.refreshToken != own.refreshToken else { return false }
    adopt(stored)
    return true
  }

  /// Renews expired credentials. Returns the new ones, or nil if the session has ended.
  func renew(
    _ expired: Credentials,
    by renewing: @escaping @Sendable (Credentials) async throws -> Credentials?
  ) async throws -> Credentials? {
    guard credentials == expired else { return credentials }
    // Not a renewal of credentials that a sign-in has replaced: its result belongs to the previous session.
    if let renewal, renewal.expired == expired { return try await Self.value(of: renewal.task) }
    // Not a child task of the first caller, whose cancellation must not affect the others.
    let task = Task {
      defer { if renewal?.expired == expired { renewal = nil } }
      // The credentials may have been replaced by a sign-in in the meantime.
      guard credentials == expired else { return credentials }
      // If another client has signed out, nothing is stored, and the server rejects the refresh token.
      if useStored(otherThan: expired) { return credentials }
      let renewed = try await renewing(expired)
      // The same, by a sign-in in this client or in another one.
      if credentials == expired, !useStored(otherThan: expired) { set(renewed) }
      return credentials
    }
    renewal = (expired, task)
    return try await Self.value(of: task)
  }

  /// Ends with the calling task, which the renewal outlives.
  private static func value(of task: Task<Credentials?, any Error>) async throws -> Credentials? {
    let (results, continuation) = AsyncThrowingStream.makeStream(of: Credentials?.self)
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
