import GraphQL
import Storage

enum DeviceColumn: Int, StoredColumns {
  case id, kind, name, createdAt, session

  var column: StoredType.Column {
    switch self {
    case .id: .identifier
    case .kind: .enumeration("d.kind", DeviceKind.self)
    case .name: .stored(\Device.name, of: "d")
    case .createdAt: .stored(\Device.createdAt, of: "d")
    case .session: .stored(\Device.session, of: "d")
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

  static let binding = ObjectBinding(
    byKey,
    fields: [
      "id": .stored(DeviceColumn.id),
      "kind": .stored(DeviceColumn.kind),
      "name": .stored(DeviceColumn.name),
      "createdAt": .stored(DeviceColumn.createdAt),
      "session": .reference(DeviceColumn.session),
      "current": .computed(needs: [DeviceColumn.session], dependsOnSession: true) { device, context in
        .boolean(device.int(DeviceColumn.session.rawValue) == context.viewer?.session.rawValue)
      },
    ]
  )
}
