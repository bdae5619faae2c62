import GraphQL
import Storage

/// Sessions: they begin with a sign-in, are extended by refresh tokens that each work once, and end with a sign-out.
enum Sessions {
  /// `usedHash` is the hash of the used token, and `unprovenHash` the same if it has no proof. `sealedToken` is the new
  /// token, sealed with the used one.
  typealias Rotation = (
    session: GlobalID, refreshHash: [UInt8], now: Timestamp, expiresAt: Timestamp, unprovenHash: [UInt8]?,
    usedHash: [UInt8]?, sealedToken: [UInt8]?
  )

  static let byID = SQL<GlobalID>(
    """
    SELECT family_id, member_id, expires_at - last_used_at, expires_at, refresh_hash, unproven_hash, used_hash, \
    sealed_token FROM session WHERE id = \(\.self)
    """
  )
  static let refreshHash = SQL<GlobalID>("SELECT refresh_hash FROM session WHERE id = \(\.self)")
  static let rotate = SQL<Rotation>(
    """
    UPDATE session SET refresh_hash = \(\.refreshHash), last_used_at = \(\.now), expires_at = \(\.expiresAt), \
    unproven_hash = coalesce(\(\.unprovenHash), unproven_hash), used_hash = \(\.usedHash), \
    sealed_token = \(\.sealedToken) WHERE id = \(\.session)
    """
  )
  static let sweep = SQL<Sweeper.Portion>(
    """
    DELETE FROM session WHERE id IN \
    (SELECT id FROM session WHERE expires_at < \(\.before) ORDER BY expires_at LIMIT \(\.limit))
    """
  )

  /// A session that a write has begun or renewed. Its access token is issued after the commit.
  struct Begun: Sendable {
    struct Issued: Sendable {
      let viewer: Viewer
      let refreshToken: String
    }

    let session: GlobalID
    let refreshHash: [UInt8]
    /// Nil after a repeated request has restored the session, whose member may have moved to another family since:
    /// `credentials(for:in:)` then reads the viewer and issues a new token.
    let issued: Issued?

    init(viewer: Viewer, refreshToken: RefreshToken) {
      session = viewer.session
      refreshHash = refreshToken.hash
      issued = Issued(viewer: viewer, refreshToken: refreshToken.text)
    }
  }

  /// Seconds of inactivity after which a session ends that is not remembered.
  private static let shortLifetime: Int64 = 86_400

  static func begin(
    member: GlobalID,
    family: GlobalID,
    device: String?,
    origin: Origin,
    isRemembered: Bool = true,
    services: Services,
    in write: DatedWrite
  ) throws -> Begun {
    let session = try KeySequence.next(.session, in: write.transaction)
    let refreshToken = RefreshToken(of: session, cipher: services.cipher, key: services.keys.refreshToken)
    let lifetime = isRemembered ? services.configuration.sessionLifetime : shortLifetime
    let row = Session(
      id: session,
      family: family,
      member: member,
      device: device,
      createdAt: write.now,
      lastUsedAt: write.now,
      expiresAt: write.now + lifetime * 1000,
      refreshHash: refreshToken.hash,
      openedBy: origin.opener,
      signInMethod: origin.method
    )
    try endLeastUsed(of: member, tokenLifetime: services.configuration.accessTokenLifetime, in: write)
    try write.transaction.run(Session.table.insert, row)
    let viewer = Viewer(session: session, member: member, family: family)
    try takeIdempotentRequest(by: viewer, from: services.rateLimits, in: write)
    return Begun(viewer: viewer, refreshToken: refreshToken)
  }

  /// Issues the access token. The new session's member becomes the viewer of the request.
  static func credentials(for begun: Begun, in context: RequestContext) async throws -> Payload {
    context.idempotentRun?.hasSecrets = true
    guard let issued = begun.issued else {
      // Each repetition of the request has issued a token of its own, which is a write of its own.
      return try await credentials(for: reissue(begun, in: context), in: context)
    }
    let access = try await context.services.tokens.issue(for: begun.session, at: context.now)
    context.signIn(as: issued.viewer)
    if !context.answersAtOnce { context.services.sessionViewers.remember(issued.viewer) }
    return Payload(
      credentials: Credentials(
        accessToken: access.token,
        expiresAt: access.expiresAt,
        refreshToken: issued.refreshToken,
        viewer: issued.viewer
      )
    )
  }

  /// Issues new tokens for a session whose tokens were in a lost response. This requires that the session's refresh
  /// token is still the one of that response: a client that has used it has received it.
  private static func reissue(_ begun: Begun, in context: RequestContext) async throws -> Begun {
    let services = context.services
    return try await context.write { write in
      let session = begun.session
      let found = try write.reader.first(of: byID, session) { row in
        (
          viewer: Viewer(session: session, member: row.key(1), family: row.key(0)), lifetime: row.int64(2),
          expiresAt: Timestamp(row.int64(3)), isUnused: row.blob(4).elementsEqual(begun.refreshHash)
        )
      }
      guard let found, found.isUnused, found.expiresAt > write.now else { throw FieldError.responseNotKept }
      let fresh = RefreshToken(of: session, cipher: services.cipher, key: services.keys.refreshToken)
      let rotation: Rotation = (
        session: session, refreshHash: fresh.hash, now: write.now, expiresAt: write.now + found.lifetime,
        unprovenHash: nil, usedHash: nil, sealedToken: nil
      )
      try write.transaction.run(rotate, rotation)
      try takeIdempotentRequest(by: found.viewer, from: services.rateLimits, in: write)
      return Begun(viewer: found.viewer, refreshToken: fresh)
    }
  }

  /// Counts a sign-in or renewal that leaves a row with an idempotency key. Such a request has no session whose family
  /// has a limit, and can be repeated with the password or the token alone.
  private static func takeIdempotentRequest(
    by viewer: Viewer,
    from limits: RateLimits,
    in write: DatedWrite
  ) throws {
    guard write.hasIdempotencyKey else { return }
    let caller = RateLimits.Caller(subject: .person(viewer.member))
    try limits.require(.idempotentRequest, by: caller, in: write)
  }

  // MARK: Refreshing

  private enum Refreshed: WriteOutcome, Sendable {
    case begun(Begun)
    case expired
    case stolen

    var outcome: String? {
      switch self {
      case .begun(let begun): begun.outcome
      case .expired: "expired"
      case .stolen: "stolen"
      }
    }

    init?(outcome: String) {
      switch outcome {
      case "expired": self = .expired
      case "stolen": self = .stolen
      default:
        guard let begun = Begun(outcome: outcome) else { return nil }
        self = .begun(begun)
      }
    }
  }

  static let refreshSession = FieldBinding.mutation { arguments, context in
    let services = context.services
    guard let given = RefreshToken(arguments["refreshToken"]?.string ?? "", cipher: services.cipher) else {
      throw unknown
    }
    // Two tabs of an app that use the same token at once both receive the same next token. They overlap if the second
    // began before the first was committed: then it sees the token unused here. No clock is involved, so a used token
    // never works again merely because it was replayed quickly.
    let hash = given.hash
    let wasUnused = try await context.read { reader in
      try reader.first(of: refreshHash, given.session) { row in row.blob(0).elementsEqual(hash) } ?? false
    }
    let refreshed = try await context.write { write in
      let refreshed = try refresh(given, wasUnused: wasUnused, services: services, in: write)
      if case .begun(let begun) = refreshed, let viewer = begun.issued?.viewer {
        try takeIdempotentRequest(by: viewer, from: services.rateLimits, in: write)
      }
      return refreshed
    }
    switch refreshed {
    case .begun(let begun): return try await credentials(for: begun, in: context)
    case .expired:
      return Payload(errors: [
        UserError(field: ["refreshToken"], code: .expired, message: "The session has expired: sign in again.")
      ])
    case .stolen:
      return Payload(errors: [
        UserError(
          field: ["refreshToken"],
          code: .expired,
          reason: .tokenReused,
          message: "The refresh token was used before, so its session has been ended: sign in again."
        )
      ])
    }
  }

  private static let unknown = RejectedInput(
    ["refreshToken"],
    code: .notFound,
    message: "The refresh token does not belong to any session."
  )

  /// Throws `unknown` rather than returning it, because a write that returns leaves a row with an idempotency key.
  ///
  /// - Parameter wasUnused: whether the token was the session's current one when the request began.
  private static func refresh(
    _ given: RefreshToken,
    wasUnused: Bool,
    services: Services,
    in write: DatedWrite
  ) throws -> Refreshed {
    let found = try write.reader.first(of: byID, given.session) { row in
      (
        viewer: Viewer(
          session: given.session,
          member: row.key(1),
          family: row.key(0)
        ), lifetime: row.int64(2), expiresAt: Timestamp(row.int64(3)),
        isCurrent: row.blob(4).elementsEqual(given.hash), wasCurrent: row.blob(5).elementsEqual(given.hash),
        next: row.blob(6).elementsEqual(given.hash) ? Array(row.blob(7)) : nil
      )
    }
    guard let found else { throw unknown }
    if !found.isCurrent, wasUnused, found.expiresAt > write.now, let next = found.next.flatMap(given.openNext),
      let token = RefreshToken(next, cipher: services.cipher)
    {
      return .begun(Begun(viewer: found.viewer, refreshToken: token))
    }
    let isProven = given.isProven(by: services.keys.refreshToken)
    guard found.isCurrent else {
      // Session ids are not secret, because apps list them. A made-up secret for a known id must not end the session.
      guard isProven || found.wasCurrent else { throw unknown }
      try end(given.session, in: write.transaction)
      return .stolen
    }
    guard found.expiresAt > write.now else {
      try end(found.viewer.session, in: write.transaction)
      return .expired
    }
    let fresh = RefreshToken(of: given.session, cipher: services.cipher, key: services.keys.refreshToken)
    let rotation: Rotation = (
      session: found.viewer.session, refreshHash: fresh.hash, now: write.now,
      expiresAt: write.now + found.lifetime, unprovenHash: isProven ? nil : given.hash, usedHash: given.hash,
      sealedToken: try given.sealNext(fresh)
    )
    try write.transaction.run(rotate, rotation)
    return .begun(Begun(viewer: found.viewer, refreshToken: fresh))
  }

  // MARK: Ending

  static let signOut = FieldBinding.mutation { arguments, context in
    let viewer = try context.requireViewer()
    let everywhere = arguments["everywhere"]?.boolean ?? false
    try await context.write { write in
      if !everywhere {
        try end(viewer.session, in: write.transaction)
      } else if viewer.isChild {
        try endAll(of: viewer.member, in: write.transaction)
      } else {
        try endAll(openedBy: viewer.member, in: viewer.family, transaction: write.transaction)
      }
    }
    context.signOut()
    return .done
  }
}
