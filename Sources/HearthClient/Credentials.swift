/// The tokens of a session. Store them in the system's keychain, and pass them to the next `HearthClient`.
public struct Credentials: Codable, Hashable, Sendable {
  /// Authenticates requests, for minutes. The client renews it.
  public let accessToken: String
  /// Returns the next tokens. It can be used once.
  public let refreshToken: String

  /// Makes credentials from the tokens of a sign-in, or from stored ones.
  public init(accessToken: String, refreshToken: String) {
    (self.accessToken, self.refreshToken) = (accessToken, refreshToken)
  }
}

/// The current session. If several requests find the access token expired, it is renewed once.
actor Session {
  private(set) var credentials: Credentials?
  private var renewal: (expired: Credentials, task: Task<Credentials?, any Error>)?
  private let didChange: @Sendable (Credentials?) -> Void

  init(_ credentials: Credentials?, didChange: @escaping @Sendable (Credentials?) -> Void) {
    self.credentials = credentials
    self.didChange = didChange
  }

  func set(_ credentials: Credentials?) {
    self.credentials = credentials
    didChange(credentials)
  }

  /// Renews expired credentials. Returns the new ones, or nil if the session has ended.
  func renew(
    _ expired: Credentials,
    by renewing: @escaping @Sendable (Credentials) async throws -> Credentials?
  ) async throws -> Credentials? {
    guard credentials == expired else { return credentials }
    // Not a renewal of credentials that a sign-in has replaced: its result belongs to the previous session.
    if let renewal, renewal.expired == expired { return try await renewal.task.value }
    // Not a child task of the first caller, whose cancellation must not affect the others.
    let task = Task {
      defer { if renewal?.expired == expired { renewal = nil } }
      let renewed = try await renewing(expired)
      // The credentials may have been replaced by a sign-in in the meantime.
      if credentials == expired { set(renewed) }
      return credentials
    }
    renewal = (expired, task)
    return try await task.value
  }
}
