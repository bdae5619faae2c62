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
  static let newest = SQL(
    "SELECT id FROM session WHERE member_id = ?1 AND expires_at > ?2 ORDER BY id DESC LIMIT \(maximumListed)"
  )

  /// An account is always the viewer's own.
  static let ofAccount = FieldBinding.objects { batch, context in
    guard let viewer = context.viewer else { return }
    let statement = try context.reader.statement(newest)
    try statement.bind(1, viewer.member.rawValue)
    try statement.bind(2, context.now)
    var keys: [Int64] = []
    try statement.forEachRow { row in keys.append(row.int64(0)) }
    for slot in 0..<batch.count { for key in keys { batch.add(slot, key: key) } }
  }

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
