import GraphQL
import Storage

/// What clients see of a session. The table also has hashes of refresh tokens, which are never loaded for them.
enum SessionColumn: Int, StoredColumns {
  case id, device, createdAt, lastUsedAt, signInMethod, opener

  var column: StoredType.Column {
    switch self {
    case .id: .identifier
    case .device: .stored(\Session.device, of: "s")
    case .createdAt: .stored(\Session.createdAt, of: "s")
    case .lastUsedAt: .stored(\Session.lastUsedAt, of: "s")
    case .signInMethod: .stored(\Session.signInMethod, of: "s")
    case .opener: .stored(\Session.openedBy, of: "s")
    }
  }
}

/// Sessions that have not expired. Members see their own sessions, and parents also those of their family's children.
enum SessionType {
  static let stored = StoredType(key: "s.id", SessionColumn.self)
  static let byKey = Loader.byKey(
    stored,
    from: """
      session AS s ON s.id = k.value WHERE s.expires_at > \(\.now) AND (s.member_id = \(\.viewer) \
      OR (s.family_id = \(\.family) AND \(Kind.child.isKind(of: "s.member_id")) \
      AND NOT (\(Kind.child.isKind(of: "\(\.viewer)")))))
      """
  )
  /// The newest sessions of each of many children.
  static let newestOfChildren = SQL<(children: [Int64], family: GlobalID, now: Timestamp)>(
    """
    SELECT k.slot, s.id FROM \(table: \.children) AS k \(join: .asWritten) session AS s ON s.id IN (\
    SELECT n.id FROM session AS n WHERE n.member_id = k.value AND n.expires_at > \(\.now) \
    ORDER BY n.id DESC LIMIT \(sql: String(Session.maximumOfMember))) WHERE s.family_id = \(\.family)
    """
  )
  static let newest = SQL<(member: GlobalID, now: Timestamp)>(
    """
    SELECT id FROM session WHERE member_id = \(\.member) AND expires_at > \(\.now) \
    ORDER BY id DESC LIMIT \(sql: String(Session.maximumOfMember))
    """
  )

  static let binding = ObjectBinding(
    byKey,
    fields: [
      "id": .stored(SessionColumn.id),
      "device": .stored(SessionColumn.device),
      "createdAt": .stored(SessionColumn.createdAt),
      "lastUsedAt": .stored(SessionColumn.lastUsedAt),
      "signInMethod": .stored(SessionColumn.signInMethod),
      "openedBy": .reference(SessionColumn.opener),
      "current": .leaf(needs: [], dependsOnCaller: true) { session in
        .boolean(session.key == request(session.context).viewer?.session.rawValue)
      },
    ]
  )
}
