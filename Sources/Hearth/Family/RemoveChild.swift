import GraphQL
import Storage

/// `removeChild`: removes the child from the family and all lists, ends its sessions, releases its username and deletes
/// its picture. Its row stays for its finished chores.
enum RemoveChild {
  /// The username is replaced by one that nobody can choose, because it begins with a space.
  static let remove = SQL<(family: GlobalID, child: GlobalID, now: Timestamp)>(
    """
    UPDATE child SET removed_at = \(\.now), username_key = ' ' || id, contract_id = NULL, avatar = NULL \
    WHERE family_id = \(\.family) AND id = \(\.child) AND removed_at IS NULL
    """
  )

  static let mutation = FieldBinding.mutation { arguments, context in
    let viewer = try context.requireParent()
    let child = context.cipher.key(of: arguments["id"])
    let (services, now) = (context.services, context.now)
    let key = try await context.write { transaction in
      try ParentRemovalRow.requireNone(of: viewer.family, field: ["id"], from: transaction.reader)
      return try remove(child, of: viewer.family, at: now, services: services, in: transaction)
    }
    return Payload(removed: key)
  }

  /// - Parameter keepsChores: whether the child stays assigned. Erasures unassign it in portions.
  static func remove(
    _ child: GlobalID?,
    of family: GlobalID,
    keepsChores: Bool = false,
    at now: Int64,
    services: some SessionEnding,
    in transaction: WriteTransaction
  ) throws -> GlobalID {
    guard let child else { throw RejectedInput([ChildRow.notFound(["id"])]) }
    try ContractTransition.endBeforeRemoval(of: child, in: family, at: now, transaction: transaction)
    try transaction.run(remove, (family: family, child: child, now: Timestamp(now)))
    guard transaction.changedRows > 0 else { throw RejectedInput([ChildRow.notFound(["id"])]) }
    if !keepsChores { try Assignees.unassign(child, of: family, at: now, in: transaction) }
    FamilyEvent.record(.childRemoved, subject: child, of: family, at: now, in: transaction)
    try Sessions.endAll(of: child, services: services, in: transaction)
    return child
  }
}
