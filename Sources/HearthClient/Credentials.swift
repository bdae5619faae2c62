/// What signing in gives. Keep it where the system keeps secrets, and give it to the next `HearthClient`.
public struct Credentials: Codable, Hashable, Sendable {
  public let accessToken: String
  /// Works once.
  public let refreshToken: String

  public init(accessToken: String, refreshToken: String) {
    (self.accessToken, self.refreshToken) = (accessToken, refreshToken)
  }
}

/// Who is signed in. However many requests find the access token expired, it is renewed once.
actor Session {
  private(set) var credentials: Credentials?
  private var renewal: Task<Credentials?, any Error>?
  private let didChange: @Sendable (Credentials?) -> Void

  init(_ credentials: Credentials?, didChange: @escaping @Sendable (Credentials?) -> Void) {
    self.credentials = credentials
    self.didChange = didChange
  }

  func set(_ credentials: Credentials?) {
    self.credentials = credentials
    didChange(credentials)
  }

  /// Credentials that are newer than those that were found expired; nil where the session is over.
  func renew(
    _ expired: Credentials,
    by renewing: @escaping @Sendable (Credentials) async throws -> Credentials?
  ) async throws -> Credentials? {
    if let renewal { return try await renewal.value }
    guard credentials == expired else { return credentials }
    // Not a child of who asks first: that it is cancelled is nothing to the others.
    let task = Task { try await renewing(expired) }
    renewal = task
    defer { renewal = nil }
    let renewed = try await task.value
    // Meanwhile somebody else may have signed in.
    if credentials == expired { set(renewed) }
    return credentials
  }
}
