import GraphQL
import Storage

enum SessionColumn: Int, StoredColumns {
  case id, key, device, createdAt, lastUsedAt, signInMethod, opener

  var column: StoredType.Column {
    switch self {
    case .id: .identifier
    case .key: .stored(\Session.id, of: "s")
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
  /// The maximum number of listed sessions, newest first.
  static let maximumListed = 100

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
    ORDER BY n.id DESC LIMIT \(sql: String(maximumListed))) WHERE s.family_id = \(\.family)
    """
  )
  static let newest = SQL<(member: GlobalID, now: Timestamp)>(
    """
    SELECT id FROM session WHERE member_id = \(\.member) AND expires_at > \(\.now) \
    ORDER BY id DESC LIMIT \(sql: String(maximumListed))
    """
  )

  /// Only the viewer's own account is ever loaded.
  static let ofAccount = FieldBinding.objects { batch, context in
    guard let viewer = context.viewer else { return }
    let keys = try context.reader.numbers(of: newest, (member: viewer.member, now: Timestamp(context.now)))
    for slot in 0..<batch.count { for key in keys { batch.add(slot, key: key) } }
  }

  /// Null for siblings of an authenticated child.
  static let ofChild = FieldBinding.objects { batch, context in
    guard let viewer = context.viewer else { return }
    let children = batch.keys
    let visible = children.indices.filter { !viewer.isChild || children[$0] == viewer.member.rawValue }
    var sessions: [[Int64]] = Array(repeating: [], count: visible.count)
    try context.reader.forEachRow(
      of: newestOfChildren,
      (children: visible.map { children[$0] }, family: viewer.family, now: Timestamp(context.now))
    ) { row in sessions[Int(row.int64(0))].append(row.int64(1)) }
    for (slot, keys) in zip(visible, sessions) { for key in keys.sorted(by: >) { batch.add(slot, key: key) } }
    guard viewer.isChild else { return }
    for slot in children.indices where !visible.contains(slot) { batch.add(slot, resolved: .null) }
  }

  static let binding = ObjectBinding(
    byKey,
    fields: [
      "id": .stored(SessionColumn.id),
      "device": .stored(SessionColumn.device),
      "createdAt": .stored(SessionColumn.createdAt),
      "lastUsedAt": .stored(SessionColumn.lastUsedAt),
      "signInMethod": .stored(SessionColumn.signInMethod),
      "openedBy": .reference(SessionColumn.opener),
      "current": .computed(needs: [SessionColumn.key], dependsOnSession: true) { session, context in
        .boolean(session.int(SessionColumn.key.rawValue) == context.viewer?.session.rawValue)
      },
    ]
  )
}
