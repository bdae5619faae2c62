import GraphQL
import Storage

/// Sessions: they begin with a sign-in, are extended by refresh tokens that each work once, and end with a sign-out.
enum Sessions {
  /// `unprovenHash` is the hash of the used token if it has no proof.
  typealias Rotation = (
    session: GlobalID, refreshHash: [UInt8], now: Timestamp, expiresAt: Timestamp, unprovenHash: [UInt8]?
  )

  static let byID = SQL<GlobalID>(
    """
    SELECT family_id, member_id, expires_at - last_used_at, expires_at, refresh_hash, unproven_hash \
    FROM session WHERE id = \(\.self)
    """
  )
  static let rotate = SQL<Rotation>(
    """
    UPDATE session SET refresh_hash = \(\.refreshHash), last_used_at = \(\.now), expires_at = \(\.expiresAt), \
    unproven_hash = coalesce(\(\.unprovenHash), unproven_hash) WHERE id = \(\.session)
    """
  )
  static let sweep = SQL<Sweeper.Portion>(
    """
    DELETE FROM session WHERE id IN \
    (SELECT id FROM session WHERE expires_at < \(\.before) ORDER BY expires_at LIMIT \(\.limit))
    """
  )

  /// A session that a write has inserted. Its access token is issued after the commit.
  struct Begun: Sendable {
    let viewer: Viewer
    let refreshToken: String
  }

  static func begin(
    member: GlobalID,
    family: GlobalID,
    device: String?,
    origin: Origin,
    lifetime: Int64,
    at now: Int64,
    _ services: Services,
    _ transaction: WriteTransaction
  ) throws -> Begun {
    let session = try KeySequence.next(.session, transaction)
    let refreshToken = RefreshToken(of: session, services.cipher, services.refreshTokenKey)
    let row = Session(
      id: session,
      family: family,
      member: member,
      device: device,
      createdAt: Timestamp(now),
      lastUsedAt: Timestamp(now),
      expiresAt: Timestamp(now + lifetime * 1000),
      refreshHash: refreshToken.hash,
      openedBy: origin.opener,
      signInMethod: origin.method
    )
    try transaction.run(Session.table.insert, row)
    return Begun(
      viewer: Viewer(session: session, member: member, family: family),
      refreshToken: refreshToken.text
    )
  }

  /// Issues the access token. The new session's member becomes the viewer of the request.
  static func credentials(for begun: Begun, _ context: RequestContext) async throws -> Payload {
    let access = try await context.services.tokens.issue(for: begun.viewer.session, at: context.now)
    context.viewer = begun.viewer
    return Payload(
      credentials: Credentials(
        accessToken: access.token,
        expiresAt: access.expiresAt,
        refreshToken: begun.refreshToken,
        viewer: begun.viewer
      )
    )
  }

  // MARK: Refreshing

  private enum Refreshed: Sendable {
    case begun(Begun)
    case expired
    case stolen
    case unknown
  }

  static let refreshSession = FieldBinding.mutation { arguments, context in
    let (services, now) = (context.services, context.now)
    guard let given = RefreshToken(arguments["refreshToken"]?.string ?? "", services.cipher) else { return unknown }
    let ticket = services.refreshOverlap.begin()
    defer { services.refreshOverlap.end(ticket) }
    let refreshed = try await context.write { transaction in
      try refresh(given, ticket: ticket, at: now, services, transaction)
    }
    switch refreshed {
    case .begun(let begun): return try await credentials(for: begun, context)
    case .expired:
      return Payload(errors: [
        UserError(field: ["refreshToken"], code: .expired, message: "The session has expired: sign in again.")
      ])
    case .stolen:
      return Payload(errors: [
        UserError(
          field: ["refreshToken"],
          code: .expired,
          message: "The refresh token was used before, so its session has been ended: sign in again."
        )
      ])
    case .unknown: return unknown
    }
  }

  private static var unknown: Payload {
    Payload(errors: [
      UserError(field: ["refreshToken"], code: .notFound, message: "The refresh token does not belong to any session.")
    ])
  }

  private static func refresh(
    _ given: RefreshToken,
    ticket: RefreshOverlap.Ticket,
    at now: Int64,
    _ services: Services,
    _ transaction: WriteTransaction
  ) throws -> Refreshed {
    let found = try transaction.reader.first(of: byID, given.session) { row in
      (
        viewer: Viewer(
          session: given.session,
          member: GlobalID(rawValue: row.int64(1)),
          family: GlobalID(rawValue: row.int64(0))
        ), lifetime: row.int64(2), expiresAt: row.int64(3), isCurrent: row.blob(4).elementsEqual(given.hash),
        wasCurrent: row.blob(5).elementsEqual(given.hash)
      )
    }
    guard let found else { return .unknown }
    if !found.isCurrent, found.expiresAt > now, let next = services.refreshOverlap.next(after: given, for: ticket) {
      return .begun(Begun(viewer: found.viewer, refreshToken: next))
    }
    let isProven = given.isProven(by: services.refreshTokenKey)
    guard found.isCurrent else {
      // Session ids are not secret, because apps list them. A made-up secret for a known id must not end the session.
      guard isProven || found.wasCurrent else { return .unknown }
      try end(given.session, services, transaction)
      return .stolen
    }
    guard found.expiresAt > now else {
      try end(found.viewer.session, services, transaction)
      return .expired
    }
    let fresh = RefreshToken(of: given.session, services.cipher, services.refreshTokenKey)
    let rotation: Rotation = (
      session: found.viewer.session, refreshHash: fresh.hash, now: Timestamp(now),
      expiresAt: Timestamp(now + found.lifetime), unprovenHash: isProven ? nil : given.hash
    )
    try transaction.run(rotate, rotation)
    // Recorded here rather than after the commit, because the other tab's write may be in the same group commit. If the
    // write is repeated, so is this.
    services.refreshOverlap.rotate(given, to: fresh, by: ticket)
    transaction.afterCommit { services.refreshOverlap.commit(given.session, by: ticket) }
    return .begun(Begun(viewer: found.viewer, refreshToken: fresh.text))
  }

  // MARK: Ending

  static let signOut = FieldBinding.mutation { arguments, context in
    let viewer = try context.requireViewer()
    let everywhere = arguments["everywhere"]?.boolean ?? false
    let services = context.services
    try await context.write { transaction in
      if !everywhere {
        try end(viewer.session, services, transaction)
      } else if viewer.isChild {
        try endAll(of: viewer.member, services, transaction)
      } else {
        try endAll(openedBy: viewer.member, in: viewer.family, services, transaction)
      }
    }
    context.viewer = nil
    return .done
  }
}
