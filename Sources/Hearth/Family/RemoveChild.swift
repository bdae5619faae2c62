import GraphQL
import Storage

/// `removeChild`: the child leaves the family and all lists, its sessions end, its username is free again, its picture
/// goes. Its row stays for what it has finished.
enum RemoveChild {
  /// The username's key becomes one that nobody can choose, as it begins with a space.
  static let remove = SQL(
    """
    UPDATE child SET removed_at = ?3, username_key = ' ' || id, contract_id = NULL, avatar = NULL \
    WHERE family_id = ?1 AND id = ?2 AND removed_at IS NULL
    """
  )
  static let choresOf = SQL(
    "SELECT chore_id FROM assignment WHERE family_id = ?1 AND member_id = ?2"
  )
  static let unassign = SQL("DELETE FROM assignment WHERE family_id = ?1 AND member_id = ?2")
  static let setAssignees = SQL("UPDATE chore SET assignees = ?3, updated_at = ?4 WHERE family_id = ?1 AND id = ?2")

  static let mutation = FieldBinding.mutation { arguments, context in
    let viewer = try context.requireParent()
    let child = context.services.cipher.key(of: arguments["id"]?.string ?? "")
    let (services, now) = (context.services, context.now)
    let key = try await context.write { transaction in
      try ParentRemovalRow.requireNone(in: viewer.family, ["id"], transaction)
      return try remove(child, of: viewer.family, at: now, services, transaction)
    }
    return Payload(removed: key)
  }

  private static func remove(
    _ child: GlobalID?,
    of family: GlobalID,
    at now: Int64,
    _ services: Services,
    _ transaction: WriteTransaction
  ) throws -> GlobalID {
    try transaction.run(remove, family.rawValue, child?.rawValue ?? 0, now)
    guard transaction.changedRows > 0, let child else { throw Refused([ChildRow.notFound(["id"])]) }
    try transaction.run(MakeContract.endCurrent, family.rawValue, child.rawValue)
    try unassign(child, of: family, at: now, transaction)
    try FamilyEvent.record(.childRemoved, child, of: family, at: now, transaction)
    try Sessions.endAll(of: child, services, transaction)
    return child
  }

  /// Takes a member of the family, a child or a parent, off all chores.
  static func unassign(
    _ member: GlobalID,
    of family: GlobalID,
    at now: Int64,
    _ transaction: WriteTransaction
  ) throws {
    let finding = try transaction.statement(choresOf)
    try finding.bind(1, family.rawValue)
    try finding.bind(2, member.rawValue)
    var chores: [GlobalID] = []
    try finding.forEachRow { row in chores.append(GlobalID(rawValue: row.int64(0))) }
    try transaction.run(unassign, family.rawValue, member.rawValue)
    for chore in chores {
      let members = try Assignment.members(of: chore, in: family, transaction)
      let writing = try transaction.statement(setAssignees)
      try writing.bind(1, family.rawValue)
      try writing.bind(2, chore.rawValue)
      try KeyList(members).bytes.withUnsafeBytes { try writing.bind(3, blob: $0) }
      try writing.bind(4, now)
      try writing.run()
      try FamilyEvent.record(.choreChanged, chore, of: family, at: now, transaction)
    }
  }
}
