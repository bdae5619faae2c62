import GraphQL
import Storage

enum SessionColumn: Int, StoredColumns {
  case id, key, device, createdAt, lastUsedAt, signInMethod, opener

  var column: StoredType.Column {
    switch self {
    case .id: .identifier
    case .key: .key("s.id")
    case .device: .text("s.device")
    case .createdAt: .dateTime("s.created_at")
    case .lastUsedAt: .dateTime("s.last_used_at")
    case .signInMethod: .enumeration("s.sign_in_method", SignInMethod.self)
    case .opener: .key("s.opened_by")
    }
  }
}

/// Sessions that have not expired. Members see their own, and parents those of their family's children too.
enum SessionType {
  /// The newest are listed.
  static let maximumListed = 100

  /// A condition on a column with a member's key.
  static func isOfChild(_ column: String) -> String {
    "\(column) & \(1 << GlobalID.kindBits - 1) = \(Kind.child.rawValue)"
  }

  static let stored = StoredType(key: "s.id", SessionColumn.self)
  static let byKey = Loader.byKey(
    stored,
    from: """
      session AS s ON s.id = k.value WHERE s.expires_at > \(\.now) AND (s.member_id = \(\.viewer) \
      OR (s.family_id = \(\.family) AND \(Kind.child.isKind(of: "s.member_id")) \
      AND NOT (\(Kind.child.isKind(of: "\(\.viewer)")))))
      """
  )
  /// The newest of each of many children. Parameters: 1 the children, 2 the family, 3 the moment.
  static let newestOfChildren = SQL(
    """
    SELECT k.slot, s.id FROM keys(?1) AS k CROSS JOIN session AS s ON s.id IN (\
    SELECT n.id FROM session AS n WHERE n.member_id = k.value AND n.expires_at > ?3 \
    ORDER BY n.id DESC LIMIT \(maximumListed)) WHERE s.family_id = ?2
    """
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

  /// Null for siblings of a child that is signed in.
  static let ofChild = FieldBinding.objects { batch, context in
    guard let viewer = context.viewer else { return }
    let children = batch.keys
    let visible = children.indices.filter { !viewer.isChild || children[$0] == viewer.member.rawValue }
    var sessions: [[Int64]] = Array(repeating: [], count: visible.count)
    let statement = try context.reader.statement(newestOfChildren)
    try statement.bind(1, keys: visible.map { children[$0] })
    try statement.bind(2, viewer.family.rawValue)
    try statement.bind(3, context.now)
    try statement.forEachRow { row in sessions[Int(row.int64(0))].append(row.int64(1)) }
    for (slot, keys) in zip(visible, sessions) { for key in keys.sorted(by: >) { batch.add(slot, key: key) } }
    guard viewer.isChild else { return }
    for slot in children.indices where !visible.contains(slot) { batch.add(slot, .null) }
  }

  static let binding = ObjectBinding(
    byKey,
    [
      "id": .stored(SessionColumn.id),
      "device": .stored(SessionColumn.device),
      "createdAt": .stored(SessionColumn.createdAt),
      "lastUsedAt": .stored(SessionColumn.lastUsedAt),
      "signInMethod": .stored(SessionColumn.signInMethod),
      "openedBy": .reference(SessionColumn.opener),
      "current": .computed(needs: [SessionColumn.key]) { session, context in
        .boolean(session.int(SessionColumn.key.rawValue) == context.viewer?.session.rawValue)
      },
    ]
  )
}
