import GraphQL
import Storage

enum SessionColumn: Int, StoredColumns {
  case id, key, device, createdAt, lastUsedAt

  var column: StoredType.Column {
    switch self {
    case .id: .identifier
    case .key: .key("s.id")
    case .device: .text("s.device")
    case .createdAt: .dateTime("s.created_at")
    case .lastUsedAt: .dateTime("s.last_used_at")
    }
  }
}

/// The viewer's own sessions that have not run out. Nobody sees those of another.
enum SessionType {
  /// Whoever has more sees the newest.
  static let maximumListed = 100

  static let stored = StoredType(key: "s.id", SessionColumn.self)
  static let byKey = Loader.byKey(
    stored,
    from: "session AS s ON s.id = k.value WHERE s.member_id = ?3 AND s.expires_at > ?4"
  )
  static let byAccount = Loader.byParent(
    stored,
    from: """
      session AS s ON s.member_id = (k.value & ~63 | \(Kind.person.rawValue)) \
      WHERE s.member_id = ?3 AND s.expires_at > ?4 ORDER BY s.id DESC LIMIT \(maximumListed)
      """
  )

  static let binding = ObjectBinding(
    byKey,
    [
      "id": .stored(SessionColumn.id),
      "device": .stored(SessionColumn.device),
      "createdAt": .stored(SessionColumn.createdAt),
      "lastUsedAt": .stored(SessionColumn.lastUsedAt),
      "current": .computed(needs: [SessionColumn.key]) { session, context in
        .boolean(session.int(SessionColumn.key.rawValue) == context.viewer?.session.rawValue)
      },
    ]
  )
}
