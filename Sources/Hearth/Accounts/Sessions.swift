import GraphQL
import Storage

/// Sessions: begun by signing in, kept by refresh tokens that each work once, ended by signing out.
enum Sessions {
  static let insert = SQL(
    """
    INSERT INTO session (id, family_id, member_id, device, created_at, last_used_at, expires_at, refresh_hash, \
    opened_by, sign_in_method) VALUES (?1, ?2, ?3, ?4, ?5, ?5, ?6, ?7, ?8, ?9)
    """
  )
  static let byID = SQL(
    """
    SELECT family_id, member_id, expires_at - last_used_at, expires_at, refresh_hash, unproven_hash \
    FROM session WHERE id = ?1
    """
  )
  /// Parameter 5 is the hash of the used token where that carries no proof.
  static let rotate = SQL(
    """
    UPDATE session SET refresh_hash = ?2, last_used_at = ?3, expires_at = ?4, \
    unproven_hash = ifnull(?5, unproven_hash) WHERE id = ?1
    """
  )
  static let delete = SQL("DELETE FROM session WHERE id = ?1")
  static let sweep = SQL(
    "DELETE FROM session WHERE id IN (SELECT id FROM session WHERE expires_at < ?1 ORDER BY expires_at LIMIT ?2)"
  )
  static let deleteOfMember = SQL("DELETE FROM session WHERE member_id = ?1 RETURNING id")
  static let deleteOfFamily = SQL("DELETE FROM session WHERE family_id = ?1 RETURNING id")
  /// One of an adult's own, or of a child of the family. Parameters: 1 the session, 2 the adult, 3 the family.
  static let deleteOne = SQL(
    """
    DELETE FROM session WHERE id = ?1 AND (member_id = ?2 OR (family_id = ?3 AND \(SessionType.isOfChild("member_id")))) \
    RETURNING id
    """
  )

  /// A session that a write has begun; its access token is made afterwards.
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
    let statement = try transaction.statement(insert)
    try statement.bind(1, session.rawValue)
    try statement.bind(2, family.rawValue)
    try statement.bind(3, member.rawValue)
    try statement.bind(4, device)
    try statement.bind(5, now)
    try statement.bind(6, now + lifetime * 1000)
    try refreshToken.hash.withUnsafeBytes { hash in try statement.bind(7, blob: hash) }
    try statement.bind(8, origin.opener?.rawValue)
    try statement.bind(9, origin.method.stored)
    try statement.run()
    return Begun(
      viewer: Viewer(session: session, member: member, family: family),
      refreshToken: refreshToken.text
    )
  }

  /// From here on the request is made by who has signed in.
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
      try refresh(given, ticket, at: now, services, transaction)
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
      UserError(field: ["refreshToken"], code: .notFound, message: "The refresh token belongs to no session.")
    ])
  }

  private static func refresh(
    _ given: RefreshToken,
    _ ticket: RefreshOverlap.Ticket,
    at now: Int64,
    _ services: Services,
    _ transaction: WriteTransaction
  ) throws -> Refreshed {
    let finding = try transaction.statement(byID)
    try finding.bind(1, given.session.rawValue)
    let found = try finding.first { row in
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
      // Anybody can put a made-up secret behind a session's id, which apps list: it ends nothing.
      guard isProven || found.wasCurrent else { return .unknown }
      try end(given.session, services, transaction)
      return .stolen
    }
    guard found.expiresAt > now else {
      try end(found.viewer.session, services, transaction)
      return .expired
    }
    let fresh = RefreshToken(of: given.session, services.cipher, services.refreshTokenKey)
    let rotating = try transaction.statement(rotate)
    try rotating.bind(1, found.viewer.session.rawValue)
    try fresh.hash.withUnsafeBytes { hash in try rotating.bind(2, blob: hash) }
    try rotating.bind(3, now)
    try rotating.bind(4, now + found.lifetime)
    if isProven {
      try rotating.bindNull(5)
    } else {
      try given.hash.withUnsafeBytes { hash in try rotating.bind(5, blob: hash) }
    }
    try rotating.run()
    // Here, and not after the commit: the other tab's write may share it. Should the write be done again, so is this.
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

  static func end(_ session: GlobalID, _ services: Services, _ transaction: WriteTransaction) throws {
    let statement = try transaction.statement(delete)
    try statement.bind(1, session.rawValue)
    try statement.run()
    transaction.afterCommit { services.endedSessions.append([session], at: services.clock.now()) }
  }

  /// All sessions of a member.
  static func endAll(of member: GlobalID, _ services: Services, _ transaction: WriteTransaction) throws {
    let statement = try transaction.statement(deleteOfMember)
    try statement.bind(1, member.rawValue)
    try end(deletedBy: statement, services, transaction)
  }

  /// Those of the parents and of the children.
  static func endAll(ofFamily family: GlobalID, _ services: Services, _ transaction: WriteTransaction) throws {
    let statement = try transaction.statement(deleteOfFamily)
    try statement.bind(1, family.rawValue)
    try end(deletedBy: statement, services, transaction)
  }

  /// One of an adult's own sessions, or one of their family's children. Returns false when there is no such session.
  static func end(
    _ session: GlobalID,
    for adult: Viewer,
    _ services: Services,
    _ transaction: WriteTransaction
  ) throws -> Bool {
    let statement = try transaction.statement(deleteOne)
    try statement.bind(1, session.rawValue)
    try statement.bind(2, adult.member.rawValue)
    try statement.bind(3, adult.family.rawValue)
    return try end(deletedBy: statement, services, transaction) > 0
  }

  @discardableResult
  static func end(
    deletedBy statement: Statement,
    _ services: Services,
    _ transaction: WriteTransaction
  ) throws -> Int {
    var ended: [GlobalID] = []
    try statement.forEachRow { row in ended.append(GlobalID(rawValue: row.int64(0))) }
    let sessions = ended
    transaction.afterCommit { services.endedSessions.append(sessions, at: services.clock.now()) }
    return sessions.count
  }
}
