import Storage

/// A row of `device`: where a member receives notifications outside of the app.
struct Device: StoredRow {
  var id: GlobalID
  var member: GlobalID
  var session: GlobalID?
  var kind: PushChannel
  /// The URL of a push subscription, or the token of a push service.
  var address: String
  /// The public key of a Web Push subscription (65 bytes), and its authentication secret (16 bytes).
  var secret: [UInt8]?
  var isSandbox = false
  var name: String?
  var createdAt: Timestamp
  /// The number of its rows of `push`, kept by triggers.
  var queued: Int64 = 0

  /// The most devices of a member. A further one replaces the oldest.
  static let maximumOfMember: Int64 = 20

  static let table = Table<Device>(
    "device",
    [
      Column("id", \.id),
      Column("member_id", \.member),
      Column("session_id", \.session),
      Column("kind", \.kind),
      Column("address", \.address),
      Column("secret", \.secret),
      Column("is_sandbox", \.isSandbox),
      Column("name", \.name),
      Column("created_at", \.createdAt),
      Column("queued", \.queued),
    ]
  )

  static let byAddress = SQL<(kind: PushChannel, address: String)>(
    "SELECT id, member_id FROM device WHERE kind = \(\.kind) AND address = \(\.address)"
  )
  static let renew = SQL<Device>(
    """
    UPDATE device SET session_id = \(\.session), secret = \(\.secret), is_sandbox = \(\.isSandbox), \
    name = \(\.name) WHERE id = \(\.id)
    """
  )
  static let deleteOldest = SQL<(member: GlobalID, kept: Int64)>(
    """
    DELETE FROM device WHERE id IN (\
    SELECT id FROM device WHERE member_id = \(\.member) ORDER BY id DESC LIMIT 100 OFFSET \(\.kept))
    """
  )
  /// Deletes a device of a member, or, for a parent, of a child of the family.
  static let deleteOne = SQL<(device: GlobalID, member: GlobalID, family: GlobalID)>(
    """
    DELETE FROM device WHERE id = \(\.device) AND (member_id = \(\.member) \
    OR (\(Kind.person.isKind(of: "\(\.member)")) AND \(Kind.child.isKind(of: "member_id")) \
    AND EXISTS (SELECT 1 FROM child AS c WHERE c.family_id = \(\.family) AND c.id = member_id)))
    """
  )

  /// Registers a device, or renews its registration. The registration of another member is deleted: the member who
  /// signed in last on a device receives its notifications.
  static func register(_ device: Device, in transaction: WriteTransaction) throws -> GlobalID {
    let known = try transaction.reader.first(of: byAddress, (kind: device.kind, address: device.address)) { row in
      (id: row.key(0), member: row.key(1))
    }
    var device = device
    if let known, known.member == device.member {
      device.id = known.id
      try transaction.run(renew, device)
      return known.id
    }
    if let known { try transaction.run(QueuedPush.deleteDevice, known.id) }
    try transaction.run(deleteOldest, (member: device.member, kept: maximumOfMember - 1))
    device.id = try KeySequence.next(.device, in: transaction)
    try transaction.run(table.insert, device)
    return device.id
  }
}
