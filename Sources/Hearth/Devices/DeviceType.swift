import GraphQL
import Storage

enum DeviceColumn: Int, StoredColumns {
  case id, kind, name, createdAt, session, sessionKey

  var column: StoredType.Column {
    switch self {
    case .id: .identifier
    case .kind: .enumeration("d.kind", DeviceKind.self)
    case .name: .stored(\Device.name, of: "d")
    case .createdAt: .stored(\Device.createdAt, of: "d")
    case .session: .stored(\Device.session, of: "d")
    case .sessionKey: .integer("d.session_id")
    }
  }
}

/// Devices that receive notifications, without those whose session has expired. Members see their own, and parents also
/// those of their family's children.
enum DeviceType {
  static let stored = StoredType(key: "d.id", DeviceColumn.self)
  static let byKey = Loader.byKey(
    stored,
    from: """
      device AS d ON d.id = k.value WHERE \(MemberDevices.isInUse("d", at: "\(\.now)")) \
      AND (d.member_id = \(\.viewer) \
      OR (\(Kind.child.isKind(of: "d.member_id")) AND NOT (\(Kind.child.isKind(of: "\(\.viewer)"))) \
      AND EXISTS (SELECT 1 FROM child AS c WHERE c.family_id = \(\.family) AND c.id = d.member_id)))
      """
  )
  static let ofMember = SQL<(member: GlobalID, now: Timestamp)>(
    """
    SELECT d.id FROM device AS d WHERE d.member_id = \(\.member) AND \(MemberDevices.isInUse("d", at: "\(\.now)")) \
    ORDER BY d.id DESC
    """
  )
  static let ofChildren = SQL<(children: [Int64], family: GlobalID, now: Timestamp)>(
    """
    SELECT k.slot, d.id FROM \(table: \.children) AS k \
    \(join: .asWritten) child AS c ON c.family_id = \(\.family) AND c.id = k.value \
    \(join: .asWritten) device AS d ON d.member_id = c.id WHERE \(MemberDevices.isInUse("d", at: "\(\.now)"))
    """
  )

  /// Only the viewer's own account is ever loaded.
  static let ofAccount = FieldBinding.objects { batch, context in
    guard let viewer = context.member else { return }
    let keys = try context.reader.numbers(of: ofMember, (member: viewer, now: Timestamp(context.now)))
    for slot in 0..<batch.count { for key in keys { batch.add(slot, key: key) } }
  }

  /// Null for siblings of an authenticated child.
  static let ofChild = FieldBinding.objects { batch, context in
    guard let viewer = context.member, let family = context.family else { return }
    let children = batch.keys
    let visible = children.indices.filter { viewer.kind != .child || children[$0] == viewer.rawValue }
    var devices: [[Int64]] = Array(repeating: [], count: visible.count)
    try context.reader.forEachRow(
      of: ofChildren,
      (children: visible.map { children[$0] }, family: family, now: Timestamp(context.now))
    ) { row in devices[Int(row.int64(0))].append(row.int64(1)) }
    for (slot, keys) in zip(visible, devices) { for key in keys.sorted(by: >) { batch.add(slot, key: key) } }
    guard viewer.kind == .child else { return }
    for slot in children.indices where !visible.contains(slot) { batch.add(slot, resolved: .null) }
  }

  static let binding = ObjectBinding(
    byKey,
    fields: [
      "id": .stored(DeviceColumn.id),
      "kind": .stored(DeviceColumn.kind),
      "name": .stored(DeviceColumn.name),
      "createdAt": .stored(DeviceColumn.createdAt),
      "session": .reference(DeviceColumn.session),
      "current": .computed(needs: [DeviceColumn.sessionKey], dependsOnSession: true) { device, context in
        .boolean(device.int(DeviceColumn.sessionKey.rawValue) == context.viewer?.session.rawValue)
      },
    ]
  )
}
